// A handle that may be absent counts.
use shutdown_runtime::{Lease, Resource, Shutdown, background_task, resource, shutdown_plan};

#[resource(close = close_db)]
struct Db(u32);

async fn close_db(db: &Db) {
    let _ = db.0;
}

#[background_task]
async fn relay(db: Option<Lease<Db>>, shutdown: Shutdown) {
    shutdown.requested().await;
    let _ = db.is_some();
}

#[shutdown_plan(budget = "30s")]
struct Service {
    storage: Resource<Db>,
    workers: relay,
}

fn main() {}
