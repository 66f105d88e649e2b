// A hook at the drain runs before every phase, wherever its field stands.
use shutdown_runtime::{Shutdown, background_task, shutdown_hook, shutdown_plan};

#[background_task]
#[shutdown_order(before = deregister)]
async fn http_api(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[shutdown_hook(at = "drain")]
async fn deregister() {}

#[shutdown_plan(budget = "30s")]
struct Service {
    ingress: http_api,
    registry: deregister,
}

fn main() {}
