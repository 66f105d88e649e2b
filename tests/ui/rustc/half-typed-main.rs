// A syntax error in `main` is the one error: no `main` is missed.
use shutdown_runtime::{Shutdown, background_task, shutdown_plan};

#[background_task]
async fn relay(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[shutdown_plan(budget = "30s")]
struct Service {
    workers: relay,
}

#[shutdown_runtime::main]
async fn main() -> Service {
    let workers = relay()
    Service { workers }
}
