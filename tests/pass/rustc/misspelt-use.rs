// And one that is declared.
use shutdown_runtime::{Shutdown, background_task, resource};

#[resource(close = async |_: &Database| ())]
struct Database;

#[background_task(uses(Database))]
async fn relay(publish: Box<dyn Fn() + Send + Sync>, shutdown: Shutdown) {
    shutdown.requested().await;
    publish();
}

fn main() {}
