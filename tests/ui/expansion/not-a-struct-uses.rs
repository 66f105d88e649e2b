// What an enum holds depends on the value; the plan must know from the type.
use shutdown_runtime::{Lease, Uses, resource};

#[resource(close = close_db)]
struct Db(u32);

async fn close_db(db: &Db) {
    let _ = db.0;
}

#[derive(Uses)]
#[allow(dead_code)]
enum Handle {
    Open(Lease<Db>),
    Absent,
}

fn main() {}
