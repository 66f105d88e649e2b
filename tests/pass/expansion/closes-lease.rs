// Who was lent something does not close it.
use shutdown_runtime::{Shutdown, background_task, resource};

#[resource(close = Db::close)]
struct Db(u32);

impl Db {
    async fn close(&self) {
        let _ = self.0;
    }
}

#[background_task]
async fn relay(db: &Db, shutdown: Shutdown) {
    shutdown.requested().await;
    db.0;
}

fn main() {}
