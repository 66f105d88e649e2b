// A lease is no phase: what closes is the resource.
use shutdown_runtime::{resource, shutdown_plan};

#[resource(close = close_db)]
struct Db(u32);

async fn close_db(db: &Db) {
    let _ = db.0;
}

#[shutdown_plan(budget = "30s")]
struct Service {
    storage: shutdown_runtime::Resource<Db>,
}

fn main() {}
