// A task outlives its caller, so it cannot borrow from it.
use shutdown_runtime::{Shutdown, background_task};

#[background_task]
async fn relay(topic: &str, shutdown: Shutdown) {
    shutdown.requested().await;
    let _ = topic;
}

fn main() {}
