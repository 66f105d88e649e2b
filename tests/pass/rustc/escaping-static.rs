// What was lent cannot be kept beyond the task.
use std::sync::OnceLock;

use shutdown_runtime::{Shutdown, background_task, resource};

#[resource(close = async |_: &Db| ())]
struct Db(u32);

static KEPT: OnceLock<&'static Db> = OnceLock::new();

#[background_task]
async fn relay(db: &Db, shutdown: Shutdown) {
    let _ = (db, KEPT.get());
    shutdown.requested().await;
}

fn main() {}
