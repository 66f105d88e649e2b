// The last iteration follows the one at hand.
use shutdown_runtime::background_task;

#[background_task(every = "1s", last = true, unit = "6s", budget = "10s")]
async fn relay() {}

fn main() {}
