// An order on the resource cannot make it right.
use shutdown_runtime::{Resource, Shutdown, background_task, resource, shutdown_order, shutdown_plan};

#[shutdown_order(after = relay)]
#[resource(close = close_db)]
struct Db(u32);

async fn close_db(db: &Db) {
    let _ = db.0;
}

#[background_task]
async fn relay(db: &Db, shutdown: Shutdown) {
    shutdown.requested().await;
    let _ = db.0;
}

#[shutdown_plan(budget = "30s")]
struct Service {
    workers: relay,
    storage: Resource<Db>,
}

fn main() {}
