//! A store whose `Drop` blocks on a runtime of its own (field report 86). The test builds it with `-C panic=abort`, so that no
//! `catch_unwind` could save a stop that needs one.

#![allow(clippy::unused_async, reason = "a service may need nothing to start")]

use std::io::{self, Write as _};
use std::time::Duration;

use shutdown_runtime::{Resource, Shutdown, background_task, resource, shutdown_plan};

fn say(line: &str) {
    let mut stdout = io::stdout();
    let _ = writeln!(stdout, "{line}").and_then(|()| stdout.flush());
}

#[resource(close = async |_: &Store| say("Store closed"), budget = "2s")]
struct Store(tokio::runtime::Runtime);

impl Drop for Store {
    fn drop(&mut self) {
        self.0.block_on(async { tokio::time::sleep(Duration::from_millis(50)).await });
        say("Store dropped");
    }
}

#[background_task(budget = "2s")]
async fn serves(panics: bool, _store: &Store, shutdown: Shutdown) {
    say(if cfg!(panic = "abort") { "started, a panic aborts" } else { "started, a panic unwinds" });
    shutdown.requested().await;
    assert!(!panics, "at the very end");
}

/// Overruns: it has to be aborted, which is no panic.
#[background_task(budget = "100ms")]
async fn hangs(_store: &Store, shutdown: Shutdown) {
    shutdown.requested().await;
    std::future::pending::<()>().await;
}

#[shutdown_plan(budget = "10s")]
struct Service {
    work: (serves, Option<hangs>),
    storage: Resource<Store>,
}

#[shutdown_runtime::main(worker_threads = 2)]
async fn main() -> io::Result<Service> {
    let mode = std::env::var("SUBJECT").unwrap_or_default();
    let store = Resource::new(Store(tokio::runtime::Runtime::new()?));
    let work = (serves(mode == "panics", &store), (mode == "hangs").then(|| hangs(&store)));
    Ok(Service { work, storage: store })
}
