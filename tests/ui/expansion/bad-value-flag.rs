// Yes or no is `true` or `false`.
use shutdown_runtime::background_task;

#[background_task(every = "1s", last = "yes")]
async fn relay() {}

fn main() {}
