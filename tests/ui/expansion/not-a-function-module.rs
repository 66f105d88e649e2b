// Nor on a module.
use shutdown_runtime::{Shutdown, background_task};

#[background_task]
mod workers {}

#[background_task]
async fn relay(shutdown: Shutdown) {
    shutdown.requested().await;
}

fn main() {}
