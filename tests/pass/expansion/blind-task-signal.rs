// To watch the signal a task needs its `Shutdown`.
use shutdown_runtime::{Shutdown, background_task};

#[background_task(stop = "signal")]
async fn relay(n: u32, _shutdown: Shutdown) {
    let _ = n;
}

#[background_task]
async fn other(shutdown: Shutdown) {
    shutdown.requested().await;
}

fn main() {}
