// The style guide's own numbers, taken one after another: they exceed the 60 s that they are written for.
use shutdown_runtime::{Shutdown, background_task, shutdown_plan};

#[background_task(budget = "25s")]
async fn http_api(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[background_task(budget = "20s")]
async fn scheduler(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[background_task(budget = "15s")]
async fn order_consumer(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[shutdown_plan(budget = "60s", pre_stop = "10s")]
struct Service {
    ingress: http_api,
    jobs: scheduler,
    consumers: order_consumer,
}

fn main() {}
