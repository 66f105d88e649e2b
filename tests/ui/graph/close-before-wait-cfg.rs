// A field that is compiled out is an empty phase; the others are judged.
use shutdown_runtime::{Resource, Shutdown, background_task, resource, shutdown_plan};

#[resource(close = async |_: &Db| ())]
struct Db;

#[background_task]
async fn relay(_db: &Db, shutdown: Shutdown) {
    shutdown.requested().await;
}

#[shutdown_plan(budget = "30s")]
struct Service {
    #[cfg(any())]
    gone: relay,
    #[cfg(not(any()))]
    early: Resource<Db>,
    workers: relay,
    #[cfg(any())]
    storage: Resource<Db>,
}

fn main() {}
