//! What the tests share: a log of what happened, the lines that were written, and the resource that they close.

use std::cell::RefCell;
use std::io;
use std::sync::{Arc, Mutex, Once};
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

thread_local! {
    static SAID: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Writes to the thread's own text: a test under the paused clock runs on one thread, beside others on theirs.
struct Said;

impl io::Write for Said {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        SAID.with_borrow_mut(|said| said.extend_from_slice(bytes));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// From now on warnings and errors of this thread are kept for [`warnings`].
pub(crate) fn listen() {
    static SUBSCRIBER: Once = Once::new();
    SUBSCRIBER.call_once(|| {
        // The plan of another test may stop meanwhile, so the level is the same for all.
        tracing_subscriber::fmt()
            .with_max_level(tracing_subscriber::filter::LevelFilter::WARN)
            .with_writer(|| Said)
            .with_ansi(false)
            .without_time()
            .init();
    });
    warnings();
}

/// Takes the lines since the last call.
pub(crate) fn warnings() -> Vec<String> {
    let said = SAID.with_borrow_mut(std::mem::take);
    String::from_utf8(said).unwrap().lines().map(str::to_owned).collect()
}
