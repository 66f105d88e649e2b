// Two tasks that changed places are of the wrong types.
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
    workers: relay,
}

#[shutdown_runtime::main]
async fn main() -> Service {
    Service { ingress: http_api(), workers: relay() }
}
