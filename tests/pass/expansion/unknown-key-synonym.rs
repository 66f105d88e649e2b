// Other tools' words are understood, and not taken.
use shutdown_runtime::background_task;

#[background_task(every = "1s", budget = "10s")]
async fn relay() {}

fn main() {}
