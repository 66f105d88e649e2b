// A task is a free function: it outlives whatever a method could borrow.
use shutdown_runtime::{Shutdown, background_task};

#[allow(dead_code)]
struct Relay(u32);

impl Relay {
    #[background_task]
    async fn relay(&self, shutdown: Shutdown) {
        shutdown.requested().await;
        let _ = self.0;
    }
}

fn main() {}
