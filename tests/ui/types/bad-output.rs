// A task returns nothing, or a result of nothing.
use shutdown_runtime::{Shutdown, background_task};

#[background_task]
async fn relay(shutdown: Shutdown) -> u32 {
    shutdown.requested().await;
    7
}

fn main() {}
