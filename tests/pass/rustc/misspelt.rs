// A misspelt name in an order is found with its nearest name.
use shutdown_runtime::{Shutdown, background_task, shutdown_order};

#[background_task]
async fn http_api(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[shutdown_order(after = http_api)]
#[background_task]
async fn relay(shutdown: Shutdown) {
    shutdown.requested().await;
}

fn main() {}
