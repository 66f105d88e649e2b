// An order may name an item of another crate.
use elsewhere::{Db, relay};
use shutdown_runtime::{Resource, Shutdown, background_task, shutdown_order, shutdown_plan};

#[shutdown_order(before = relay)]
#[background_task]
async fn http_api(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[shutdown_plan(budget = "30s")]
struct Service {
    ingress: http_api,
    workers: relay,
    storage: Resource<Db>,
}

fn main() {}
