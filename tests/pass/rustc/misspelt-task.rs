// So is a misspelt task in a field of the plan.
use shutdown_runtime::{Shutdown, background_task, shutdown_plan};

#[background_task]
async fn http_api(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[shutdown_plan(budget = "30s")]
struct Service {
    ingress: http_api,
}

fn main() {}
