// The task's view of the stop is its own.
use shutdown_runtime::{Shutdown, background_task};

#[background_task]
async fn relay(shutdown: Shutdown) {
    shutdown.requested().await;
}

fn main() {}
