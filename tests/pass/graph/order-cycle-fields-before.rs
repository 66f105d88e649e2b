// A cycle of fields, by orders of both directions.
use shutdown_runtime::{Shutdown, background_task, shutdown_plan};

#[background_task]
async fn http_api(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[background_task]
async fn order_consumer(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[background_task]
async fn email_worker(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[shutdown_plan(budget = "60s")]
struct Service {
    #[shutdown_order(after = [])]
    ingress: http_api,
    #[shutdown_order(after = [ingress])]
    consumers: order_consumer,
    #[shutdown_order(after = [consumers])]
    workers: email_worker,
}

fn main() {}
