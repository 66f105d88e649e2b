// A pod is killed when its own grace period is over, whatever the plan counts on.
use shutdown_runtime::{Shutdown, background_task, shutdown_plan};

#[background_task]
async fn http_api(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[shutdown_plan(budget = "45s", pre_stop = "10s", kubernetes = "deploy/service.yaml")]
struct Service {
    ingress: http_api,
}

fn main() {}
