// A phase cannot be shorter than a member of it.
use shutdown_runtime::{Shutdown, background_task, shutdown_plan};

#[background_task(budget = "20s")]
async fn http_api(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[shutdown_plan(budget = "60s")]
struct Service {
    #[phase(budget = "20s")]
    ingress: http_api,
}

fn main() {}
