// Nor can it be spawned beside the plan.
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


fn spawn(_: impl Future<Output = ()> + Send) {}

#[shutdown_runtime::main]
async fn main() -> Service {
    let db = Resource::new(Db(1));
    spawn(async {});
    Service { workers: relay(&db), storage: db }
}
