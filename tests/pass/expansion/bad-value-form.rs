// A key that wants a value.
use shutdown_runtime::background_task;

#[background_task(every = "1s", budget = "5s")]
async fn relay() {}

fn main() {}
