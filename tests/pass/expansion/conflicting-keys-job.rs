// Whether a service is a job is the whole plan's to say.
use shutdown_runtime::{background_task, shutdown_plan};

#[background_task(every = "1s")]
async fn relay() {}

#[shutdown_plan(part)]
pub struct Workers {
    relays: relay,
}

fn main() {}
