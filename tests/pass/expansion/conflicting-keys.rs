// A periodic task does not end by itself.
use shutdown_runtime::background_task;

#[background_task(every = "1s", on_error = "log")]
async fn relay() {}

fn main() {}
