// Only a resource is leased.
use shutdown_runtime::{Lease, Shutdown, background_task, resource};

#[resource(close = async |_: &Settings| ())]
struct Settings {
    topic: u32,
}

#[background_task]
async fn relay(settings: Lease<Settings>, shutdown: Shutdown) {
    shutdown.requested().await;
    let _ = settings.clone().topic;
}

fn main() {}
