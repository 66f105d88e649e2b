// Orders of fields that contradict each other.
use shutdown_runtime::{Shutdown, background_task, shutdown_plan};

#[background_task]
async fn http_api(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[background_task]
async fn email_worker(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[shutdown_plan(budget = "30s")]
struct Service {
    #[shutdown_order(after = [])]
    ingress: http_api,
    workers: email_worker,
}

fn main() {}
