// Fifty events of a second each: the batch, not the budget, is too large.
use shutdown_runtime::background_task;

#[background_task(every = "500ms", budget = "20s", batch = 20, per_item = "1s")]
async fn outbox_relay() {}

fn main() {}
