// What closes a resource is an async function.
use shutdown_runtime::resource;

#[resource(close = close_db)]
struct Db(u32);

fn close_db(db: &Db) {
    let _ = db.0;
}

fn main() {}
