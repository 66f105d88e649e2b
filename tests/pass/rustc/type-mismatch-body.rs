// A mistake in the body is rustc's to report, at its place.
use shutdown_runtime::{Shutdown, background_task};

#[background_task]
async fn relay(n: u32, shutdown: Shutdown) {
    shutdown.requested().await;
    let _: u32 = n;
}

fn main() {
    let _ = relay(1);
}
