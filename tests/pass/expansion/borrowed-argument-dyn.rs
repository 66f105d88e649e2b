// A trait object is shared, not borrowed.
use std::sync::Arc;

use shutdown_runtime::{Shutdown, background_task};

trait Sink: Send + Sync {
    fn put(&self);
}

#[background_task]
async fn relay(sink: Arc<dyn Sink>, shutdown: Shutdown) {
    shutdown.requested().await;
    sink.put();
}

#[allow(dead_code)]
fn shared<S: Sink + 'static>(sink: S) -> Arc<dyn Sink> {
    Arc::new(sink)
}

fn main() {}
