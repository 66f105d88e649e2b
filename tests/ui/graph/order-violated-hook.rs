// A hook has its place too.
use shutdown_runtime::{Shutdown, background_task, shutdown_hook, shutdown_order, shutdown_plan};

#[background_task]
async fn http_api(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[shutdown_order(before = http_api)]
#[shutdown_hook]
async fn deregister() {}

#[shutdown_plan(budget = "30s")]
struct Service {
    ingress: http_api,
    registry: deregister,
}

fn main() {}
