// Parts may stand in parts; they are seen through.
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
struct Outbox {
    relay: relay,
}

#[shutdown_plan(part)]
struct Workers {
    outbox: Outbox,
}

#[shutdown_plan(budget = "30s")]
struct Service {
    workers: Workers,
    storage: Resource<Db>,
}

fn main() {}
