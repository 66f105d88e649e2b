// A `Shutdown` that is compiled out shows no stop.
use shutdown_runtime::background_task;

#[background_task]
async fn relay(#[cfg(not(any()))] shutdown: shutdown_runtime::Shutdown) {
    #[cfg(not(any()))]
    shutdown.requested().await;
}

fn main() {}
