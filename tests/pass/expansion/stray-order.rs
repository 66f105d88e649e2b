// An order beside nothing that stops.
use shutdown_runtime::{background_task, shutdown_order};

#[background_task(every = "1s")]
async fn relay() {}

#[shutdown_order(after = relay)]
#[background_task(every = "1s")]
async fn other() {}

fn main() {}
