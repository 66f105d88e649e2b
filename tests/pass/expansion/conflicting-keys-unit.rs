// Two answers to one question.
use shutdown_runtime::background_task;

#[background_task(every = "500ms", batch = 50, per_item = "100ms")]
async fn outbox_relay() {}

fn main() {}
