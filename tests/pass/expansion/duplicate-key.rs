// One of two values would be ignored.
use shutdown_runtime::background_task;

#[background_task(every = "1s", budget = "2s")]
async fn relay() {}

fn main() {}
