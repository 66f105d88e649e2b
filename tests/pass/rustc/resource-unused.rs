// A resource in no plan is never closed.
use shutdown_runtime::{Resource, resource};

#[resource(close = close_db)]
struct Db(u32);

async fn close_db(db: &Db) {
    let _ = db.0;
}

#[deny(unused_must_use)]
fn main() {
    let _db = Resource::new(Db(1));
}
