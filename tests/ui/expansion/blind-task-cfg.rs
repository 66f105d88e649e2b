// A `Shutdown` that is compiled out shows no stop.
use shutdown_runtime::background_task;

#[background_task]
async fn relay(#[cfg(any())] shutdown: shutdown_runtime::Shutdown) {
    #[cfg(any())]
    shutdown.requested().await;
}

fn main() {}
