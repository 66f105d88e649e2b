// `uses(...)` names resources.
use shutdown_runtime::{Shutdown, background_task};

struct Settings;

#[background_task(uses(Settings))]
async fn relay(publish: Box<dyn Fn() + Send + Sync>, shutdown: Shutdown) {
    shutdown.requested().await;
    publish();
}

fn main() {}
