// A resource too must show which leases it holds.
use shutdown_runtime::{Lease, resource};

#[resource(close = close_db)]
struct Db(u32);

async fn close_db(db: &Db) {
    let _ = db.0;
}

#[derive(Debug)]
struct Handles {
    db: Lease<Db>,
}

#[resource(close = async |cache: &Cache| {
    let _ = cache.handles.db.0;
})]
struct Cache {
    handles: Handles,
}

fn main() {}
