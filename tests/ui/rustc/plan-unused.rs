// A plan that nobody runs stops nothing.
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
#[deny(unused_must_use)]
fn assemble() {
    let db = Resource::new(Db(1));
    Service { workers: relay(&db), storage: db };
}

fn main() {}
