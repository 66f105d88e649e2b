// Handles are found through all of it: a struct in an `Option` in an `Arc`, in a `Vec` of tasks.
use std::sync::Arc;

use shutdown_runtime::{Lease, Resource, Shutdown, Uses, background_task, resource, shutdown_plan};

#[resource(close = close_db)]
struct Db(u32);

async fn close_db(db: &Db) {
    let _ = db.0;
}

#[derive(Uses)]
struct App {
    db: Lease<Db>,
}

#[background_task]
async fn http_api(app: Arc<Option<App>>, shutdown: Shutdown) {
    shutdown.requested().await;
    let _ = app.as_ref().as_ref().map(|app| app.db.0);
}

#[shutdown_plan(budget = "30s")]
struct Service {
    ingress: Vec<http_api>,
    storage: Option<Resource<Db>>,
}

fn main() {}
