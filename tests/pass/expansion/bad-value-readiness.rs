// Readiness turns off in the first instant of a stop, or at the end of the window.
use shutdown_runtime::{background_task, shutdown_plan};

#[background_task(every = "1s")]
async fn relay() {}

#[shutdown_plan(budget = "30s", lame_duck = "5s", readiness = "after-lame-duck")]
pub struct Service {
    relays: relay,
}

fn main() {}
