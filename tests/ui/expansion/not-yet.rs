// A key whose effect does not exist yet is refused, not ignored.
use shutdown_runtime::background_task;

#[background_task(every = "1s", ready = "explicit")]
async fn relay() {}

fn main() {}
