// Two parts in one phase stop at the same time.
use shutdown_runtime::{Resource, Shutdown, background_task, resource, shutdown_plan};

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

#[shutdown_plan(part)]
struct Workers {
    relay: relay,
}

#[shutdown_plan(part)]
struct Storage {
    database: Resource<Db>,
}

#[shutdown_plan(budget = "30s")]
struct Service {
    both: (Workers, Storage),
}

fn main() {}
