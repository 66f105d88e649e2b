// And a misspelt resource in a parameter.
use shutdown_runtime::{Shutdown, background_task, resource};

#[resource(close = async |_: &Database| ())]
struct Database(u32);

#[background_task]
async fn relay(db: &Databse, shutdown: Shutdown) {
    shutdown.requested().await;
    let _ = db.0;
}

fn main() {}
