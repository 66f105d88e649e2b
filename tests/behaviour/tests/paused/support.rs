//! What the tests share: a log of what happened, and the resource that they close.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use shutdown_runtime::{Report, Running, resource};
use tokio::time::Instant;

/// Who did what, in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Log(Arc<Mutex<Vec<String>>>);

impl Log {
    pub(crate) fn add(&self, line: impl Into<String>) {
        self.0.lock().unwrap().push(line.into());
    }

    pub(crate) fn lines(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }
}

/// A resource that says when it closes.
#[resource(close = close_db, budget = "4s")]
pub(crate) struct Db(pub(crate) Log);

async fn close_db(db: &Db) {
    db.0.add("Db closed");
}

/// Stops at once, without a window.
pub(crate) async fn stop(running: Running) -> Report {
    running.handle().request_now("the test");
    running.stopped().await
}

/// How long a stop takes by the clock.
pub(crate) async fn timed_stop(running: Running) -> (Report, Duration) {
    let began = Instant::now();
    let report = stop(running).await;
    (report, began.elapsed())
}

pub(crate) const fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

pub(crate) const fn millis(millis: u64) -> Duration {
    Duration::from_millis(millis)
}
