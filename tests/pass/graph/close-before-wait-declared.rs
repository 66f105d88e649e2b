// What an item declares with `uses(...)` counts like what can be seen.
use shutdown_runtime::{Resource, Shutdown, background_task, resource, shutdown_plan};

#[resource(close = close_db)]
struct Db(u32);

async fn close_db(db: &Db) {
    let _ = db.0;
}

#[background_task(uses(Db))]
async fn relay(publish: Box<dyn Fn() + Send + Sync>, shutdown: Shutdown) {
    shutdown.requested().await;
    publish();
}

#[shutdown_plan(budget = "30s")]
struct Service {
    workers: relay,
    storage: Resource<Db>,
}

fn main() {}
