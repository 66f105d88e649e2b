// A number of items says nothing about time.
use shutdown_runtime::background_task;

#[background_task(every = "500ms", budget = "20s", batch = 50, per_item = "100ms")]
async fn outbox_relay() {}

fn main() {}
