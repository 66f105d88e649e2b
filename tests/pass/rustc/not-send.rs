// The future of a task moves between threads; rustc says what it holds.
use shutdown_runtime::{Shutdown, background_task};

#[background_task]
async fn relay(shutdown: Shutdown) {
    let marker = Marker(std::ptr::null());
    drop(marker);
    shutdown.requested().await;
}

struct Marker(*const u8);

fn main() {}
