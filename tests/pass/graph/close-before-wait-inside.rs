// A type that says nothing itself may still hold what its type arguments do.
use std::sync::Arc;

use shutdown_runtime::{Lease, Resource, Shutdown, Uses, background_task, resource, shutdown_plan};
use tokio::sync::mpsc;

#[resource(close = async |_: &Db| ())]
struct Db;

#[derive(Uses)]
struct App {
    db: Lease<Db>,
}

struct State<T>(T);

#[background_task]
async fn api(state: State<Arc<App>>, queue: mpsc::Receiver<Lease<Db>>, shutdown: Shutdown) {
    let _ = (&state.0.db, queue);
    shutdown.requested().await;
}

#[shutdown_plan(budget = "30s")]
struct Service {
    ingress: api,
    storage: Resource<Db>,
}

fn main() {}
