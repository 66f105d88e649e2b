// What `main` takes is what the runtime has to give.
#[allow(unused_imports)]
use shutdown_runtime::Startup;
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
async fn main(_startup: u8) -> Service {
    Service { workers: relay() }
}
