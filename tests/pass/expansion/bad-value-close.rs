// What closes is named by its path, not by a text.
use shutdown_runtime::resource;

#[resource(close = close_db)]
struct Db(u32);

async fn close_db(db: &Db) {
    let _ = db.0;
}

fn main() {
    let _ = close_db;
}
