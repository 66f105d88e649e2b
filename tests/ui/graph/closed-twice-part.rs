// A part and its parent cannot both close it.
use shutdown_runtime::{Resource, Shutdown, background_task, resource, shutdown_plan};

#[resource(close = async |_: &Db| ())]
struct Db;

#[background_task]
async fn relay(_db: &Db, shutdown: Shutdown) {
    shutdown.requested().await;
}

#[shutdown_plan(part)]
struct Outbox {
    relay: relay,
    storage: Resource<Db>,
}

#[shutdown_plan(budget = "30s")]
struct Service {
    outbox: Outbox,
    storage: Resource<Db>,
}

fn main() {}
