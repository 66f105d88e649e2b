// A duration has a number and a unit, in quotes.
use shutdown_runtime::background_task;

#[background_task(every = "1s", budget = 10)]
async fn relay() {}

fn main() {}
