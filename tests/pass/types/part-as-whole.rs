// A part cannot run by itself.
use shutdown_runtime::{Plan, Shutdown, background_task, shutdown_plan};

#[background_task]
async fn relay(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[shutdown_plan(budget = "30s")]
struct Workers {
    relay: relay,
}

fn whole<P: Plan>() {}

#[allow(dead_code)]
fn check() {
    whole::<Workers>();
}

fn main() {}
