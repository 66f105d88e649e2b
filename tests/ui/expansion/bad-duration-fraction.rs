// No fractions: the smaller unit says the same.
use shutdown_runtime::background_task;

#[background_task(every = "1.5s")]
async fn relay() {}

fn main() {}
