// What runs in the first instant of a stop runs after nothing.
use shutdown_runtime::{Shutdown, background_task, shutdown_hook};

#[background_task]
async fn http_api(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[shutdown_hook(at = "drain")]
#[shutdown_order(after = http_api)]
async fn deregister() {}

fn main() {}
