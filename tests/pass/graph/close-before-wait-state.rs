// State that the loop of a periodic task owns counts too.
use shutdown_runtime::{Lease, Resource, background_task, resource, shutdown_plan};

#[resource(close = close_db)]
struct Db(u32);

async fn close_db(db: &Db) {
    let _ = db.0;
}

#[background_task(every = "1s")]
async fn relay(last: &mut Option<Lease<Db>>) {
    let _ = last.take();
}

#[shutdown_plan(budget = "30s")]
struct Service {
    workers: relay,
    storage: Resource<Db>,
}

fn main() {}
