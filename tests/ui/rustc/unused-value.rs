// The value of a task does nothing by itself.
use shutdown_runtime::{Shutdown, background_task};

#[background_task]
async fn relay(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[allow(dead_code)]
#[deny(unused_must_use)]
fn forgets() {
    relay();
}

fn main() {}
