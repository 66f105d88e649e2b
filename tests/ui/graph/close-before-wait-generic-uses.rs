// What a type argument holds is used.
use shutdown_runtime::{Lease, Resource, Shutdown, Uses, background_task, resource, shutdown_plan};

#[resource(close = close_db)]
struct Db(u32);

async fn close_db(db: &Db) {
    let _ = db.0;
}

#[background_task]
async fn relay<S: Uses + Send + 'static>(state: S, shutdown: Shutdown) {
    shutdown.requested().await;
    drop(state);
}

#[shutdown_plan(budget = "30s")]
struct Service {
    storage: Resource<Db>,
    workers: relay<Option<Lease<Db>>>,
}

fn main() {}
