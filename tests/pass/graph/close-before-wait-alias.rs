// The graph sees through type aliases: here of a handle.
use shutdown_runtime::{Lease, Resource, Shutdown, background_task, resource, shutdown_plan};

#[resource(close = close_db)]
struct Db(u32);

async fn close_db(db: &Db) {
    let _ = db.0;
}

type Pool = Lease<Db>;

#[background_task]
async fn relay(db: Pool, shutdown: Shutdown) {
    shutdown.requested().await;
    let _ = db.0;
}

#[shutdown_plan(budget = "30s")]
struct Service {
    workers: relay,
    storage: Resource<Db>,
}

fn main() {}
