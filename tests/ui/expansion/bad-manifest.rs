// A manifest that is not there grants nothing.
use shutdown_runtime::{Shutdown, background_task, shutdown_plan};

#[background_task]
async fn http_api(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[shutdown_plan(budget = "45s", pre_stop = "10s", kubernetes = "deploy/servcie.yaml")]
struct Service {
    ingress: http_api,
}

fn main() {}
