// No fractions: the smaller unit says the same.
use shutdown_runtime::background_task;

#[background_task(every = "1500ms")]
async fn relay() {}

fn main() {}
