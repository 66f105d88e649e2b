// A type that may hide a lease must say what it holds.
use shutdown_runtime::{Lease, Shutdown, Uses, background_task, resource};

#[resource(close = close_db)]
struct Db(u32);

async fn close_db(db: &Db) {
    let _ = db.0;
}

#[derive(Clone, Uses)]
struct App {
    db: Lease<Db>,
}

#[background_task]
async fn http_api(app: App, shutdown: Shutdown) {
    shutdown.requested().await;
    let _ = app.db.0;
}

#[allow(dead_code)]
fn uses(_: &impl Uses) {}

fn main() {}
