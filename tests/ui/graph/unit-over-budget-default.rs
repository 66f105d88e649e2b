// Without any written budget a task gets ten seconds.
use shutdown_runtime::{background_task, shutdown_plan};

#[background_task(every = "500ms", batch = 60, per_item = "200ms")]
async fn outbox_relay() {}

#[shutdown_plan(budget = "60s")]
struct Service {
    workers: outbox_relay,
}

fn main() {}
