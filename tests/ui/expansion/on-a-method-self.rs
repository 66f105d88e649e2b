// `Self` is known only inside an `impl`.
use shutdown_runtime::{Shutdown, background_task};

#[allow(dead_code)]
struct Relay(u32);

impl Relay {
    #[background_task]
    async fn run(relay: Self, shutdown: Shutdown) {
        shutdown.requested().await;
        let _ = relay.0;
    }
}

fn main() {}
