// Only a task that says itself when it is ready is waited for.
use shutdown_runtime::{Shutdown, background_task};

#[background_task(ready = "explicit", ready_within = "20s")]
async fn consumer(shutdown: Shutdown) {
    shutdown.ready();
    shutdown.requested().await;
}

fn main() {}
