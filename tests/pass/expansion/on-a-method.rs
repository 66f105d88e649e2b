// A task is a free function: it outlives whatever a method could borrow.
use shutdown_runtime::{Shutdown, background_task};

#[allow(dead_code)]
struct Relay(u32);

#[background_task]
async fn relay(this: Relay, shutdown: Shutdown) {
    shutdown.requested().await;
    let _ = this.0;
}

fn main() {}
