// A misspelt budget of a plan is not a missing one as well.
use shutdown_runtime::{Shutdown, background_task, shutdown_plan};

#[background_task]
async fn relay(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[shutdown_plan(budget = "30s")]
struct Service {
    workers: relay,
}

fn main() {}
