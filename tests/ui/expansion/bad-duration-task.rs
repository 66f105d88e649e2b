// A budget that cannot be read is not taken for the default, which might be too long for the plan.
use shutdown_runtime::{Shutdown, background_task, shutdown_plan};

#[background_task(budget = 3)]
async fn relay(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[shutdown_plan(budget = "6s")]
struct Service {
    workers: relay,
}

fn main() {}
