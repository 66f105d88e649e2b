// Nor through an owned handle.
use shutdown_runtime::{Lease, Shutdown, background_task, resource};

#[resource(close = Db::close)]
struct Db(u32);

impl Db {
    async fn close(&self) {
        let _ = self.0;
    }
}

#[background_task]
async fn relay(db: Lease<Db>, shutdown: Shutdown) {
    shutdown.requested().await;
    drop(db);
}

fn main() {}
