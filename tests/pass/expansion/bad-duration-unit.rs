// The units are ms, s, m and h.
use shutdown_runtime::background_task;

#[background_task(every = "500 ms")]
async fn relay() {}

fn main() {}
