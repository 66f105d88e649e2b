// An order on a field names fields, not what is in them.
use shutdown_runtime::{Shutdown, background_task, shutdown_plan};

#[background_task]
async fn http_api(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[background_task]
async fn relay(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[shutdown_plan(budget = "30s")]
struct Service {
    ingress: http_api,
    #[shutdown_order(after = ingress)]
    workers: relay,
}

fn main() {}
