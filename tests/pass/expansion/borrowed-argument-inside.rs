// A resource that may be absent is an `Option` of its lease.
use shutdown_runtime::{Shutdown, background_task, resource};

#[resource(close = close_db)]
struct Db(u32);

async fn close_db(db: &Db) {
    let _ = db.0;
}

#[background_task]
async fn relay(db: Option<shutdown_runtime::Lease<Db>>, shutdown: Shutdown) {
    shutdown.requested().await;
    let _ = db.map(|db| db.0);
}

fn main() {}
