// A resource that holds a lease of another must close first.
use shutdown_runtime::{Lease, Resource, resource, shutdown_plan};

#[resource(close = close_db)]
struct Db(u32);

async fn close_db(db: &Db) {
    let _ = db.0;
}

#[resource(close = async |cache: &Cache| {
    let _ = cache.db.0;
})]
struct Cache {
    db: Lease<Db>,
}

#[shutdown_plan(budget = "30s")]
struct Service {
    cache: Resource<Cache>,
    storage: Resource<Db>,
}

fn main() {}
