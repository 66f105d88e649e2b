// A task without a written budget gets what its phase grants, and its unit must fit that.
use shutdown_runtime::{Shutdown, background_task, shutdown_plan};

#[background_task(unit = "8s")]
async fn order_consumer(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[shutdown_plan(budget = "60s")]
struct Service {
    #[phase(budget = "5s")]
    ingress: order_consumer,
}

fn main() {}
