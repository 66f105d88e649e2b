// The graph sees through type aliases: here of the resource, lent and in the plan.
use shutdown_runtime::{Resource, Shutdown, background_task, resource, shutdown_plan};

#[resource(close = close_db)]
struct Db(u32);

async fn close_db(db: &Db) {
    let _ = db.0;
}

type Database = Db;
type Storage = Resource<Database>;

#[background_task]
async fn relay(db: &Database, shutdown: Shutdown) {
    shutdown.requested().await;
    let _ = db.0;
}

#[shutdown_plan(budget = "30s")]
struct Service {
    storage: Storage,
    workers: relay,
}

fn main() {}
