//! What the tests share: durations, and the text of a failure that is expected.

use std::future::Future;
use std::time::Duration;

use tokio::task::{LocalSet, spawn_local};

pub(crate) const fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

pub(crate) const fn millis(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

/// The text that this panics with; it must.
pub(crate) async fn failure(future: impl Future<Output: 'static> + 'static) -> String {
    let joined = LocalSet::new().run_until(async { spawn_local(future).await }).await;
    let payload = joined.err().expect("it should have failed").into_panic();
    payload.downcast_ref::<String>().cloned().unwrap_or_else(|| String::from("no text"))
}
