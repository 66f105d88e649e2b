//! The window between readiness off and the first phase.

use shutdown_runtime::{Readiness, Shutdown, background_task, shutdown_plan, testing};
use tokio::time::{Instant, sleep};

use crate::support::{Log, millis, seconds};

#[background_task]
async fn api(log: Log, shutdown: Shutdown) {
    let readiness: Readiness = shutdown.readiness();
    sleep(millis(1)).await;
    log.add(format!("ready: {}", readiness.is_ready()));
    shutdown.draining().await;
    log.add(format!("draining, ready: {}, told: {}", readiness.is_ready(), shutdown.is_requested()));
    let began = Instant::now();
    shutdown.requested().await;
    log.add(format!("told after {} ms", began.elapsed().as_millis()));
}

#[shutdown_plan(budget = "60s", pre_stop = "10s", lame_duck = "2s")]
struct Service {
    only: api,
}

#[tokio::test(start_paused = true)]
async fn an_unannounced_stop_waits_for_pre_stop_and_lame_duck() {
    let log = Log::default();
    let running = testing::start(Service { only: api(log.clone()) }).unwrap();
    sleep(millis(5)).await;
    running.handle().request("a button");
    let report = running.stopped().await;
    assert_eq!(log.lines(), ["ready: true", "draining, ready: false, told: false", "told after 12000 ms"]);
    assert_eq!(report.window, seconds(12));
    assert!(report.is_clean());
}

#[tokio::test(start_paused = true)]
async fn request_now_has_no_window_and_ends_one() {
    let log = Log::default();
    let running = testing::start(Service { only: api(log.clone()) }).unwrap();
    sleep(millis(5)).await;
    running.handle().request("a button");
    sleep(seconds(3)).await;
    running.handle().request_now("an impatient one");
    let report = running.stopped().await;
    assert_eq!(report.window, seconds(3));
    assert_eq!(report.reason.to_string(), "requested: a button", "the first trigger keeps the reason");
}

#[tokio::test(start_paused = true)]
async fn the_window_shrinks_with_what_is_granted() {
    let log = Log::default();
    let running = testing::start_within(Service { only: api(log.clone()) }, seconds(13)).unwrap();
    sleep(millis(5)).await;
    running.handle().request("a button");
    let report = running.stopped().await;
    // 11 of 22 s: half of everything.
    assert_eq!(report.window, seconds(6), "{report}");
}
