// A generic plan gives one error, and none where it is used.
use shutdown_runtime::{Shutdown, background_task, shutdown_plan};

#[background_task]
async fn relay<S: Unpin + Send + 'static>(sink: S, shutdown: Shutdown) {
    shutdown.requested().await;
    drop(sink);
}

#[shutdown_plan(part)]
struct Workers {
    relay: relay<u8>,
}

#[shutdown_plan(budget = "30s")]
struct Service {
    workers: Workers,
}

#[shutdown_runtime::main]
async fn main() -> Service {
    Service { workers: Workers { relay: relay(1_u8) } }
}
