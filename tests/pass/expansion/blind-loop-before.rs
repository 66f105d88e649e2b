// To have looked once is not enough: the loop itself must look.
use shutdown_runtime::{Shutdown, background_task};

#[background_task]
async fn relay(shutdown: Shutdown) {
    if shutdown.is_requested() {
        return;
    }
    loop {
        if shutdown.run_until_requested(step()).await.is_none() {
            break;
        }
    }
}

async fn step() {}

fn main() {}
