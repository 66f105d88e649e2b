//! A periodic task starts no iteration after a stop, and none is cut short.

use std::time::Duration;

use shutdown_runtime::{Outcome, Reason, Resource, Shutdown, background_task, shutdown_plan, testing};
use tokio::time::sleep;

use crate::support::{Db, Log, millis, seconds, stop};

#[background_task(every = "500ms", budget = "10s")]
async fn relay(db: &Db, takes: u64, count: &mut u32, log: Log, shutdown: Shutdown) {
    *count += 1;
    if shutdown.is_requested() {
        log.add("too late");
    }
    log.add(format!("begin {count}"));
    sleep(millis(takes)).await;
    db.0.add(format!("end {count}"));
}

#[shutdown_plan(budget = "60s")]
struct Service {
    workers: relay,
    storage: Resource<Db>,
}

fn service(takes: u64, log: &Log) -> Service {
    let db = Resource::new(Db(log.clone()));
    Service { workers: relay(&db, takes, 0, log.clone()), storage: db }
}

#[tokio::test(start_paused = true)]
async fn an_iteration_is_finished_and_no_other_begins_though_a_tick_is_due() {
    // An iteration that takes longer than the interval, so that a tick is always pending (defect L1), and one that waits
    // for its ticks. Five hundred moments each.
    for moment in 0..1_000 {
        let log = Log::default();
        let running = testing::start(service(if moment % 2 == 0 { 700 } else { 100 }, &log)).unwrap();
        sleep(Duration::from_micros(1_000 + moment * 2_310)).await;
        let report = stop(running).await;
        let lines = log.lines();
        assert!(report.is_clean(), "{report}");
        assert!(!lines.contains(&"too late".to_owned()), "moment {moment}: {lines:?}");
        let count = |word: &str| lines.iter().filter(|line| line.starts_with(word)).count();
        assert_eq!(count("begin"), count("end"), "moment {moment}: {lines:?}");
        assert_eq!(lines.last().unwrap(), "Db closed");
    }
}

#[tokio::test(start_paused = true)]
async fn missed_ticks_are_delayed_not_made_up_for() {
    let log = Log::default();
    let running = testing::start(service(1_200, &log)).unwrap();
    sleep(seconds(4)).await;
    stop(running).await;
    // At 0, 1.2 and 2.4 s and 3.6 s: each as soon as the last is done, none in a burst.
    assert_eq!(log.lines().iter().filter(|line| line.starts_with("begin")).count(), 4);
}

#[background_task(every = "1s")]
async fn failing(log: Log) -> Result<(), String> {
    log.add("tried");
    Err(String::from("no broker"))
}

#[background_task(every = Duration::from_millis(*period), on_error = "shutdown")]
async fn strict(period: u64, rounds: &mut u32) -> Result<(), String> {
    *rounds += 1;
    if *rounds == 3 { Err(format!("round {rounds} of {period} ms")) } else { Ok(()) }
}

#[shutdown_plan(budget = "60s")]
struct Failing {
    only: failing,
}

#[shutdown_plan(budget = "60s")]
struct Strict {
    only: strict,
}

#[tokio::test(start_paused = true)]
async fn errors_are_logged_and_back_off_up_to_half_a_minute() {
    let log = Log::default();
    let running = testing::start(Failing { only: failing(log.clone()) }).unwrap();
    // 0, +2, +4, +8, +16, +30, +30, ...
    sleep(seconds(95)).await;
    assert_eq!(log.lines().len(), 7);
    let report = stop(running).await;
    assert!(report.is_clean(), "errors before the stop were the task's own affair\n{report}");
}

#[tokio::test(start_paused = true)]
async fn a_back_off_wait_wakes_at_once() {
    let log = Log::default();
    let running = testing::start(Failing { only: failing(log.clone()) }).unwrap();
    sleep(seconds(40)).await;
    let tried = log.lines().len();
    let report = stop(running).await;
    assert!(report.total < millis(10), "{report}");
    assert_eq!(log.lines().len(), tried, "no further attempt (field report 113)");
}

#[tokio::test(start_paused = true)]
async fn a_strict_one_starts_the_stop() {
    let report = testing::start(Strict { only: strict(10, 0) }).unwrap().stopped().await;
    assert_eq!(report.reason, Reason::Failed("strict", "round 3 of 10 ms".into()));
    assert!(matches!(report.member("strict").unwrap().outcome, Outcome::Failed(_)));
}

#[tokio::test(start_paused = true)]
async fn an_interval_of_zero_is_a_start_error() {
    let error = testing::start(Strict { only: strict(0, 0) }).unwrap_err();
    assert_eq!(error.to_string(), "the interval of `strict` is zero");
}

#[background_task(every = "10ms")]
async fn fails_in_the_drain(shutdown: Shutdown) -> Result<(), String> {
    if shutdown.sleep(seconds(5)).await { Ok(()) } else { Err(String::from("cut in the middle")) }
}

#[shutdown_plan(budget = "60s")]
struct DrainError {
    only: fails_in_the_drain,
}

#[tokio::test(start_paused = true)]
async fn an_error_of_the_last_iteration_is_a_failure() {
    let running = testing::start(DrainError { only: fails_in_the_drain() }).unwrap();
    sleep(seconds(1)).await;
    let report = stop(running).await;
    assert_eq!(
        report.member("fails_in_the_drain").unwrap().outcome,
        Outcome::Failed("cut in the middle".to_owned())
    );
}
