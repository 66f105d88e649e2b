// The graph of a generic plan could not be checked where it is written.
use shutdown_runtime::{Shutdown, background_task, shutdown_plan};

#[background_task]
async fn relay<S: Unpin + Send + 'static>(sink: S, shutdown: Shutdown) {
    shutdown.requested().await;
    drop(sink);
}

#[shutdown_plan(budget = "30s")]
struct Service<S: Unpin + Send + 'static> {
    workers: relay<S>,
}

fn main() {}
