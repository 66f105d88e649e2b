// A periodic task ends between iterations, not with its input.
use shutdown_runtime::background_task;

#[background_task(every = "1s")]
async fn relay() {}

fn main() {}
