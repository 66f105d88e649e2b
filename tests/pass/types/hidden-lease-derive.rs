// What a struct of leases holds must be visible all the way down.
use shutdown_runtime::{Lease, Uses, resource};

#[resource(close = close_db)]
struct Db(u32);

async fn close_db(db: &Db) {
    let _ = db.0;
}

#[derive(Uses)]
struct Handles {
    db: Lease<Db>,
}

#[derive(Uses)]
struct App {
    handles: Handles,
}

fn main() {
    let _ = |app: App| app.handles.db.0;
}
