// A task value is one value: it stands in one field.
use shutdown_runtime::{Shutdown, background_task, shutdown_plan};

#[background_task]
async fn relay(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[shutdown_plan(budget = "30s")]
struct Service {
    first: relay,
    second: relay,
}

#[shutdown_runtime::main]
async fn main() -> Service {
    let relays = relay();
    Service { first: relays, second: relay() }
}
