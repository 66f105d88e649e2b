// The longest path and the margin must fit the time that the platform grants.
use shutdown_runtime::{Resource, Shutdown, background_task, resource, shutdown_plan};

#[resource(close = close_db)]
struct Db(u32);

async fn close_db(db: &Db) {
    let _ = db.0;
}

#[background_task(budget = "25s")]
async fn relay(db: &Db, shutdown: Shutdown) {
    shutdown.requested().await;
    let _ = db.0;
}

#[shutdown_plan(budget = "30s", pre_stop = "10s")]
struct Service {
    workers: relay,
    storage: Resource<Db>,
}

fn main() {}
