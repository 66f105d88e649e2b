// The same, declared on the item that stops first.
use shutdown_runtime::{Shutdown, background_task, shutdown_plan};

#[background_task]
#[shutdown_order(before = email_worker)]
async fn http_api(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[background_task]
async fn email_worker(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[shutdown_plan(budget = "30s")]
struct Service {
    all: (http_api, email_worker),
}

fn main() {}
