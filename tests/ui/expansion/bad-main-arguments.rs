// `main` takes nothing, or a `Startup`.
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
async fn main(startup: shutdown_runtime::Startup, name: String) -> Service {
    let _ = startup;
    Service { workers: relay() }
}
