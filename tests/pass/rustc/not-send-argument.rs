// What a task keeps moves between threads with it.
use shutdown_runtime::{Shutdown, background_task};

#[background_task]
async fn relay(counter: std::sync::Arc<u32>, shutdown: Shutdown) {
    shutdown.requested().await;
    drop(counter);
}

fn main() {}
