// One of two budgets would be ignored.
use shutdown_runtime::{Shutdown, background_task, shutdown_plan};

#[background_task]
async fn relay(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[shutdown_plan(budget = "30s")]
struct Service {
    #[phase(budget = "10s")]
    workers: relay,
}

fn main() {}
