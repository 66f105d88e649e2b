// A part must fit the phase in which it stands.
use shutdown_runtime::{Shutdown, background_task, shutdown_plan};

#[background_task(budget = "20s")]
async fn http_api(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[background_task(budget = "10s")]
async fn relay(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[shutdown_plan(part)]
struct Web {
    ingress: http_api,
    workers: relay,
}

#[shutdown_plan(budget = "60s")]
struct Service {
    #[phase(budget = "30s")]
    web: Web,
}

fn main() {}
