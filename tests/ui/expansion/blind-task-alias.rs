// The stop is recognised by its very name.
use shutdown_runtime::{Shutdown, background_task};

#[allow(dead_code)]
type Stop = Shutdown;

#[background_task]
async fn relay(stop: Stop) {
    stop.requested().await;
}

fn main() {}
