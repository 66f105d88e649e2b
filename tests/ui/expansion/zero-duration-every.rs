// An interval of nothing would never let go of its thread.
use shutdown_runtime::background_task;

#[background_task(every = "0ms")]
async fn relay() {}

fn main() {}
