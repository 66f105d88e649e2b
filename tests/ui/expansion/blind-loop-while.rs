// `while true` is a loop too.
use shutdown_runtime::{Shutdown, background_task};

#[background_task]
async fn relay(shutdown: Shutdown) {
    while true {
        step().await;
    }
}

async fn step() {}

fn main() {}
