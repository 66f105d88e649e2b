// What is dropped runs no last iteration.
use shutdown_runtime::background_task;

#[background_task(every = "1s", stop = "signal", last = true)]
async fn relay() {}

fn main() {}
