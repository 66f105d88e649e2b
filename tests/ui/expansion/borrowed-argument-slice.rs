// A list is taken by value.
use shutdown_runtime::{Shutdown, background_task};

#[background_task]
async fn relay(topics: &[String], shutdown: Shutdown) {
    shutdown.requested().await;
    let _ = topics.len();
}

fn main() {}
