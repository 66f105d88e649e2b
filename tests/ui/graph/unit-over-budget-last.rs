// Without any written budget a task gets ten seconds, for the iteration at hand and the last one.
use shutdown_runtime::{background_task, shutdown_plan};

#[background_task(every = "500ms", last = true, unit = "6s")]
async fn flusher() {}

#[shutdown_plan(budget = "60s")]
struct Service {
    workers: flusher,
}

fn main() {}
