// To have looked once is not enough: the loop itself must look.
use shutdown_runtime::{Shutdown, background_task};

#[background_task]
async fn relay(shutdown: Shutdown) {
    if shutdown.is_requested() {
        return;
    }
    loop {
        step().await;
    }
}

async fn step() {}

fn main() {}
