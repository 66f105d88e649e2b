// A longer cycle, by orders of both directions.
use shutdown_runtime::{Shutdown, background_task, shutdown_order, shutdown_plan};

#[shutdown_order(before = order_consumer)]
#[background_task]
async fn http_api(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[shutdown_order(before = email_worker)]
#[background_task]
async fn order_consumer(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[shutdown_order(after = http_api)]
#[background_task]
async fn email_worker(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[shutdown_plan(budget = "60s")]
struct Service {
    ingress: http_api,
    consumers: order_consumer,
    workers: email_worker,
}

fn main() {}
