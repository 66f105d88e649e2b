// An argument of a generic type that says nothing about what is inside it.
use shutdown_runtime::{Shutdown, background_task};
use tokio::sync::mpsc;

#[background_task]
async fn relay<M: Unpin + Send + 'static>(queue: mpsc::Receiver<M>, shutdown: Shutdown) {
    shutdown.requested().await;
    drop(queue);
}

fn main() {}
