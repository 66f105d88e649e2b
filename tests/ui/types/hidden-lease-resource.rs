// A `Resource` stands in the plan; inside a task's argument nothing would close it.
use shutdown_runtime::{Shutdown, background_task, resource};

#[resource(close = async |_: &Db| ())]
struct Db;

#[background_task]
async fn relay(db: shutdown_runtime::Resource<Db>, shutdown: Shutdown) {
    shutdown.requested().await;
    drop(db);
}

fn main() {}
