// The call of a task takes the `Resource`, which the plan closes, not what is in it.
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

#[shutdown_plan(budget = "30s")]
struct Service {
    workers: relay,
    storage: Resource<Db>,
}

#[allow(dead_code)]
fn assemble(db: Resource<Db>) -> Service {
    let other = Db(2);
    Service { workers: relay(&other), storage: db }
}

fn main() {}
