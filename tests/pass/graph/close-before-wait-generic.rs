// A generic task uses what its arguments make of it.
use shutdown_runtime::{Resource, ResourceSpec, Shutdown, background_task, resource, shutdown_plan};

#[resource(close = close_db)]
struct Db(u32);

async fn close_db(db: &Db) {
    let _ = db.0;
}

#[background_task]
async fn relay<R: ResourceSpec>(resource: &R, shutdown: Shutdown) {
    shutdown.requested().await;
    let _ = resource;
}

#[shutdown_plan(budget = "30s")]
struct Service {
    workers: relay<Db>,
    storage: Resource<Db>,
}

fn main() {}
