// What stops has one table.
use shutdown_runtime::background_task;

#[background_task(every = "1s")]
#[background_task(budget = "2s")]
async fn relay() {}

fn main() {}
