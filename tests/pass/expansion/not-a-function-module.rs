// Nor on a module.
use shutdown_runtime::{Shutdown, background_task};

#[allow(dead_code)]
mod workers {}

#[background_task]
async fn relay(shutdown: Shutdown) {
    shutdown.requested().await;
}

fn main() {}
