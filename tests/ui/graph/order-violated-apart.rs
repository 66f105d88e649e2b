// Where the fields cannot change places, the item that follows has to leave its own.
use shutdown_runtime::{Shutdown, background_task, shutdown_order, shutdown_plan};

#[background_task]
async fn http_api(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[shutdown_order(after = relay)]
#[background_task]
async fn audit(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[shutdown_order(after = http_api)]
#[background_task]
async fn relay(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[shutdown_plan(budget = "60s")]
struct Service {
    web: (http_api, audit),
    workers: relay,
}

fn main() {}
