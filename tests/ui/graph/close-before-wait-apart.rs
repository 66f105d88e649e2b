// A resource leaves a field whose other members must stop first.
use shutdown_runtime::{Resource, Shutdown, background_task, resource, shutdown_order, shutdown_plan};

#[resource(close = async |_: &Db| ())]
struct Db;

#[background_task]
async fn cleaner(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[shutdown_order(after = cleaner)]
#[background_task]
async fn relay(_db: &Db, shutdown: Shutdown) {
    shutdown.requested().await;
}

#[shutdown_plan(budget = "60s")]
struct Service {
    storage: (cleaner, Resource<Db>),
    workers: relay,
}

fn main() {}
