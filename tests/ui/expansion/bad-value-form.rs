// A key that wants a value.
use shutdown_runtime::background_task;

#[background_task(every = "1s", budget)]
async fn relay() {}

fn main() {}
