// A `close` takes the resource, and perhaps a `Closing`.
use shutdown_runtime::resource;

#[resource(close = close_db)]
struct Db(u32);

async fn close_db(db: &mut Db) {
    let _ = db;
}

fn main() {}
