// And the function that closes it.
use shutdown_runtime::resource;

#[resource(close = clos_db)]
struct Db(u32);

async fn close_db(db: &Db) {
    let _ = db.0;
}

fn main() {
    let _ = close_db;
}
