// The attribute of a task goes on a function.
use shutdown_runtime::{Shutdown, background_task};

#[allow(dead_code)]
struct Relay(u32);

#[background_task]
async fn relay(relay: Relay, shutdown: Shutdown) {
    shutdown.requested().await;
    let _ = relay.0;
}

fn main() {}
