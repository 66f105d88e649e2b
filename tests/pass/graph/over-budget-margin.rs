// What is kept for joins, report and exit counts too.
use shutdown_runtime::{Shutdown, background_task, shutdown_plan};

#[background_task(budget = "26s")]
async fn http_api(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[shutdown_plan(budget = "30s", margin = "4s")]
struct Service {
    ingress: http_api,
}

fn main() {}
