// A hook uses a resource as a task does.
use shutdown_runtime::{Resource, resource, shutdown_hook, shutdown_plan};

#[resource(close = close_db)]
struct Db(u32);

async fn close_db(db: &Db) {
    let _ = db.0;
}

#[shutdown_hook]
async fn sign_off(db: &Db) {
    let _ = db.0;
}

#[shutdown_plan(budget = "30s")]
struct Service {
    farewell: sign_off,
    storage: Resource<Db>,
}

fn main() {}
