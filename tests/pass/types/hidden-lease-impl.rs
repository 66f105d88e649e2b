// A closure may have captured a lease.
use shutdown_runtime::{Shutdown, background_task};

#[background_task]
async fn relay(publish: impl Fn() + Unpin + Send + Sync + 'static, shutdown: Shutdown) {
    shutdown.requested().await;
    publish();
}

fn main() {}
