// A task that says itself when it is ready needs what it can say that to.
use shutdown_runtime::{Shutdown, background_task};

#[background_task(every = "1s", ready = "explicit")]
async fn relay() {}

#[background_task]
async fn http_api(shutdown: Shutdown) {
    shutdown.requested().await;
}

fn main() {}
