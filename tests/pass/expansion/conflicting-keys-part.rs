// A part has no time of its own: the plan in which it stands has.
use shutdown_runtime::{Shutdown, background_task, shutdown_plan};

#[background_task]
async fn relay(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[shutdown_plan(part)]
struct Workers {
    relay: relay,
}

#[shutdown_plan(budget = "30s")]
struct Service {
    workers: Workers,
}

fn main() {}
