// All failures of a plan are reported in one run, each at its own field.
use shutdown_runtime::{Resource, Shutdown, background_task, resource, shutdown_order, shutdown_plan};

#[resource(close = close_db)]
struct Db(u32);

async fn close_db(db: &Db) {
    let _ = db.0;
}

#[resource(close = async |_: &Events| ())]
struct Events(u32);

#[background_task]
async fn http_api(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[shutdown_order(after = http_api)]
#[background_task]
async fn relay(db: &Db, events: &Events, shutdown: Shutdown) {
    shutdown.requested().await;
    let _ = db.0 + events.0;
}

#[shutdown_plan(budget = "20s")]
struct Service {
    storage: Resource<Db>,
    workers: relay,
    ingress: http_api,
}

fn main() {}
