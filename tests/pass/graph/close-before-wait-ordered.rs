// A plan that obeys an order which closes the pool too early.
use shutdown_runtime::{Resource, Shutdown, background_task, resource, shutdown_order, shutdown_plan};

#[shutdown_order(before = relay)]
#[resource(close = close_db)]
struct Db(u32);

async fn close_db(db: &Db) {
    let _ = db.0;
}

#[background_task]
async fn relay(_db: u32, shutdown: Shutdown) {
    shutdown.requested().await;
}

#[shutdown_plan(budget = "30s")]
struct Service {
    storage: Resource<Db>,
    workers: relay,
}

fn main() {}
