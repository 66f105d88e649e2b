// A key that takes one of several words.
use shutdown_runtime::{Shutdown, background_task};

#[background_task(stop = "singal")]
async fn relay(shutdown: Shutdown) {
    shutdown.requested().await;
}

fn main() {}
