// A private task in no plan is dead code, once, at its name.
use shutdown_runtime::{Shutdown, background_task};

#[allow(dead_code)]
#[background_task]
async fn forgotten(shutdown: Shutdown) {
    shutdown.requested().await;
}

fn main() {}
