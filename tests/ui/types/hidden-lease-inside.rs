// A type argument may hide one too.
use shutdown_runtime::{Lease, Shutdown, background_task, resource};

use std::sync::Arc;

#[resource(close = close_db)]
struct Db(u32);

async fn close_db(db: &Db) {
    let _ = db.0;
}

struct App {
    db: Lease<Db>,
}

#[background_task]
async fn http_api(app: Arc<App>, shutdown: Shutdown) {
    shutdown.requested().await;
    let _ = app.db.0;
}

fn main() {}
