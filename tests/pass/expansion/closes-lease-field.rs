// Nor the pool that is inside.
use shutdown_runtime::{Shutdown, background_task, resource};

struct Pool;

impl Pool {
    async fn close(&self) {}
}

#[resource(close = async |db: &Db| db.0.close().await)]
struct Db(Pool);

#[background_task]
async fn relay(db: &Db, shutdown: Shutdown) {
    shutdown.requested().await;
    let _ = &db.0;
}

fn main() {}
