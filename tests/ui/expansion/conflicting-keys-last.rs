// Only a periodic task has a last iteration.
use shutdown_runtime::background_task;

#[background_task(stop = "drop", last = true)]
async fn relay() {}

fn main() {}
