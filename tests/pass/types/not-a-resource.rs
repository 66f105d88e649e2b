// A `&T` parameter lends a resource.
use shutdown_runtime::{Shutdown, background_task, resource};

#[resource(close = async |_: &Settings| ())]
struct Settings {
    topic: u32,
}

#[background_task]
async fn relay(settings: &Settings, shutdown: Shutdown) {
    shutdown.requested().await;
    let _ = settings.topic;
}

fn main() {}
