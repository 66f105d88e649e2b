// Nothing stops before itself.
use shutdown_runtime::{Shutdown, background_task, shutdown_order};

#[background_task]
async fn http_api(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[shutdown_order(after = relay)]
#[background_task]
async fn relay(shutdown: Shutdown) {
    shutdown.requested().await;
}

fn main() {}
