// An order on the field of the task moves it behind the close.
use shutdown_runtime::{Resource, Shutdown, background_task, resource, shutdown_plan};

#[resource(close = close_db)]
struct Db(u32);

async fn close_db(db: &Db) {
    let _ = db.0;
}

#[background_task]
async fn relay(db: &Db, shutdown: Shutdown) {
    shutdown.requested().await;
    let _ = db.0;
}

#[shutdown_plan(budget = "30s")]
struct Service {
    #[shutdown_order(before = storage)]
    workers: relay,
    #[shutdown_order(after = [])]
    storage: Resource<Db>,
}

fn main() {}
