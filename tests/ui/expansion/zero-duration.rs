// Nothing can be done in no time.
use shutdown_runtime::background_task;

#[background_task(every = "1s", budget = "0s")]
async fn relay() {}

fn main() {}
