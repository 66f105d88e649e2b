// What stops has one table.
use shutdown_runtime::background_task;

#[background_task(every = "1s")]
async fn relay() {}

fn main() {}
