// Both after and before.
use shutdown_runtime::{Shutdown, background_task};

#[background_task]
async fn http_api(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[background_task]
#[shutdown_order(after = http_api, before = http_api)]
async fn relay(shutdown: Shutdown) {
    shutdown.requested().await;
}

fn main() {}
