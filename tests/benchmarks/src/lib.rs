//! Benchmarks: `cargo bench -p shutdown-benchmarks`. Figures are ratios within one run; no test is timed.
//!
//! Here is what several of them need: a service that hands its [`Shutdown`] out.

use std::time::{Duration, Instant};

use shutdown_runtime::{Running, Shutdown, background_task, shutdown_plan, testing};
use tokio::sync::oneshot;

#[background_task]
async fn host(out: oneshot::Sender<Shutdown>, shutdown: Shutdown) {
    let _ = out.send(shutdown.clone());
    shutdown.requested().await;
}

#[shutdown_plan(budget = "60s")]
struct Host {
    only: host,
}

/// A running plan of one task, and that task's `Shutdown`.
///
/// # Panics
///
/// If it does not start.
pub async fn hosted() -> (Running, Shutdown) {
    let (sender, receiver) = oneshot::channel();
    let running = testing::start(Host { only: host(sender) }).expect("nothing hinders it");
    (running, receiver.await.expect("it sends"))
}

/// Stops a plan without a window, and gives the time that took.
///
/// # Panics
///
/// If the stop was not clean.
pub async fn stopped(running: Running) -> Duration {
    let began = Instant::now();
    running.handle().request_now("the benchmark");
    let report = running.stopped().await;
    let elapsed = began.elapsed();
    assert!(report.is_clean(), "{report}");
    elapsed
}
