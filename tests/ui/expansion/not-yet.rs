// A key whose effect does not exist yet is refused, not ignored.
use shutdown_runtime::{Shutdown, background_task, shutdown_plan};

#[background_task]
async fn http_api(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[shutdown_plan(budget = "30s", kubernetes = "deploy/service.yaml")]
struct Service {
    ingress: http_api,
}

fn main() {}
