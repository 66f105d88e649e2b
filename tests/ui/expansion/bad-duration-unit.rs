// The units are ms, s, m and h.
use shutdown_runtime::background_task;

#[background_task(every = "500 millis")]
async fn relay() {}

fn main() {}
