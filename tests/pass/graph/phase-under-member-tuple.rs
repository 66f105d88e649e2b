// Of several members the one that needs more is named.
use shutdown_runtime::{Shutdown, background_task, shutdown_plan};

#[background_task(budget = "10s")]
async fn http_api(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[background_task(budget = "20s")]
async fn relay(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[shutdown_plan(budget = "60s")]
struct Service {
    #[phase(budget = "20s")]
    ingress: (http_api, Option<relay>),
}

fn main() {}
