// A part leaves the closing to its parent, and the parent must do it.
use shutdown_runtime::{Resource, Shutdown, background_task, resource, shutdown_plan};

#[resource(close = async |_: &Db| ())]
struct Db;

#[resource(close = async |_: &Events| ())]
struct Events;

#[background_task]
async fn relay(_db: &Db, _events: &Events, shutdown: Shutdown) {
    shutdown.requested().await;
}

#[shutdown_plan(part)]
struct Workers {
    relay: relay,
}

#[shutdown_plan(budget = "30s")]
struct Service {
    workers: Workers,
    events: Resource<Events>,
    storage: Resource<Db>,
}

fn main() {}
