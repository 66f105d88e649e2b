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

#[shutdown_plan(budget = "60s", pre_stop = "10s", lame_duck = "2s", readiness = "after-lame-duck")]
struct LastOne {
    only: api,
}

#[tokio::test(start_paused = true)]
async fn readiness_may_stay_on_through_the_window_for_those_who_are_the_last() {
    let log = Log::default();
    let running = testing::start(LastOne { only: api(log.clone()) }).unwrap();
    let readiness = running.readiness();
    sleep(millis(5)).await;
    running.handle().request("a button");
    sleep(millis(11_900)).await;
    assert!(readiness.is_ready(), "still in the window");
    let report = running.stopped().await;
    assert_eq!(log.lines(), ["ready: true", "draining, ready: true, told: false", "told after 12000 ms"]);
    assert!(!readiness.is_ready());
    assert_eq!(report.window, seconds(12));
}

#[tokio::test(start_paused = true)]
async fn without_a_window_readiness_turns_off_at_once() {
    let running = testing::start(LastOne { only: api(Log::default()) }).unwrap();
    let readiness = running.readiness();
    sleep(millis(5)).await;
    running.handle().request_now("an impatient one");
    let report = running.stopped().await;
    assert!(report.is_clean() && !readiness.is_ready());
    assert!(report.window.is_zero(), "{report}");
}

#[background_task]
async fn looks(log: Log, shutdown: Shutdown) {
    shutdown.requested().await;
    log.add(format!("told, ready: {}", shutdown.readiness().is_ready()));
}

#[shutdown_plan(budget = "60s", lame_duck = "2s", readiness = "after-lame-duck")]
struct Looking {
    only: looks,
}

#[tokio::test(start_paused = true)]
async fn readiness_is_off_before_the_first_phase_is_told() {
    let log = Log::default();
    let running = testing::start(Looking { only: looks(log.clone()) }).unwrap();
    sleep(millis(5)).await;
    running.handle().request("a button");
    running.stopped().await;
    assert_eq!(log.lines(), ["told, ready: false"]);
}
