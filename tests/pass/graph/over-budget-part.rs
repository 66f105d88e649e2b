// A part needs as long as its own longest path.
use shutdown_runtime::{Shutdown, background_task, shutdown_plan};

#[background_task(budget = "20s")]
async fn http_api(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[background_task(budget = "20s")]
async fn relay(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[background_task(budget = "20s")]
async fn audit(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[shutdown_plan(part)]
struct Web {
    ingress: http_api,
    workers: relay,
}

#[shutdown_plan(budget = "62s")]
struct Service {
    web: Web,
    audit: audit,
}

fn main() {}
