// One millisecond too many is too many.
use shutdown_runtime::{Shutdown, background_task, shutdown_plan};

#[background_task(budget = "1001ms")]
async fn relay(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[background_task(budget = "1ms")]
async fn flusher(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[shutdown_plan(budget = "3002ms")]
struct Service {
    workers: relay,
    flush: flusher,
}

fn main() {}
