// A struct of leases counts as a use of each.
use shutdown_runtime::{Lease, Resource, Shutdown, Uses, background_task, resource, shutdown_plan};

#[resource(close = close_db)]
struct Db(u32);

async fn close_db(db: &Db) {
    let _ = db.0;
}

#[derive(Uses)]
struct App {
    db: Lease<Db>,
}

#[background_task]
async fn relay(app: App, shutdown: Shutdown) {
    shutdown.requested().await;
    let _ = app.db.0;
}

#[shutdown_plan(budget = "30s")]
struct Service {
    storage: Resource<Db>,
    workers: relay,
}

fn main() {}
