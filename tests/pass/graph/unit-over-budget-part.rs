// A part judges its own members, by its own fields: once, and not again where the part stands.
use shutdown_runtime::{Shutdown, background_task, shutdown_plan};

#[background_task(unit = "15s")]
async fn order_consumer(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[shutdown_plan(part)]
struct Ingress {
    #[phase(budget = "15s")]
    consumers: order_consumer,
}

#[shutdown_plan(budget = "60s")]
struct Service {
    ingress: Ingress,
}

fn main() {}
