// Every member of a tuple must be able to stop.
use shutdown_runtime::{Shutdown, background_task, shutdown_plan};

#[background_task]
async fn relay(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[shutdown_plan(budget = "30s")]
struct Service {
    workers: (relay, Option<relay>),
}

fn main() {}
