// What was lent cannot be moved into a task that nothing waits for.
use shutdown_runtime::{Shutdown, background_task, resource};

#[resource(close = close_db)]
struct Db(u32);

async fn close_db(db: &Db) {
    let _ = db.0;
}

#[background_task]
async fn relay(db: &Db, shutdown: Shutdown) {
    drop(async move { drop_later(db).await });
    shutdown.requested().await;
}

async fn drop_later(db: &Db) {
    let _ = db.0;
}

fn main() {}
