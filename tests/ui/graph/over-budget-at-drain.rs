// Hooks at the drain run together, before the window: the largest of their budgets is on the path.
use shutdown_runtime::{Shutdown, background_task, shutdown_hook, shutdown_plan};

#[background_task(budget = "15s")]
async fn http_api(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[shutdown_hook(at = "drain", budget = "8s")]
async fn deregister() {}

#[shutdown_hook(at = "drain")]
async fn announce() {}

#[shutdown_plan(budget = "30s", lame_duck = "6s")]
struct Service {
    ingress: http_api,
    registry: (deregister, announce),
}

fn main() {}
