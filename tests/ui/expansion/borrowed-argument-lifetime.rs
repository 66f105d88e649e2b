// A lifetime inside a type borrows too.
use std::borrow::Cow;

use shutdown_runtime::{Shutdown, background_task};

#[background_task]
async fn relay(topic: Cow<'_, str>, shutdown: Shutdown) {
    shutdown.requested().await;
    let _ = topic.len();
}

fn main() {}
