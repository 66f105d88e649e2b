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

#[background_task(every = "1s", last = true, budget = "10s")]
async fn flusher(takes: u64, fails: bool, log: Log, shutdown: Shutdown) -> Result<(), String> {
    log.add(if shutdown.is_requested() { "last" } else { "flush" });
    sleep(millis(takes)).await;
    log.add("flushed");
    if fails && shutdown.is_requested() { Err(String::from("disk full")) } else { Ok(()) }
}

#[shutdown_plan(budget = "60s")]
struct Flushing {
    only: flusher,
}

#[tokio::test(start_paused = true)]
async fn a_flusher_runs_one_last_iteration_whatever_the_moment_of_the_stop() {
    // In the first instant, in the middle of one, between two, and with a tick that is due.
    for (moment, takes, whole) in
        [(0, 300, 1), (100, 300, 1), (700, 300, 1), (1_100, 300, 2), (2_000, 1_500, 2)]
    {
        let log = Log::default();
        let running = testing::start(Flushing { only: flusher(takes, false, log.clone()) }).unwrap();
        if moment > 0 {
            sleep(millis(moment)).await;
        }
        let report = stop(running).await;
        assert!(report.is_clean(), "{report}");
        let lines = log.lines();
        let count = |word: &str| lines.iter().filter(|line| *line == word).count();
        assert_eq!((count("flush"), count("last")), (whole, 1), "at {moment} ms: {lines:?}");
        assert_eq!(count("flushed"), whole + 1, "at {moment} ms: {lines:?}");
        assert_eq!(lines.get(lines.len() - 2).map(String::as_str), Some("last"), "at {moment} ms: {lines:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_last_iteration_that_fails_or_hangs_is_named() {
    let running = testing::start(Flushing { only: flusher(10, true, Log::default()) }).unwrap();
    sleep(millis(500)).await;
    let report = stop(running).await;
    assert_eq!(report.member("flusher").unwrap().outcome, Outcome::Failed("disk full".into()));
    // Eleven seconds of a budget of ten.
    let log = Log::default();
    let running = testing::start(Flushing { only: flusher(11_000, false, log.clone()) }).unwrap();
    sleep(millis(10_500)).await;
    let report = stop(running).await;
    assert_eq!(report.member("flusher").unwrap().outcome, Outcome::TimedOut);
    assert_eq!(log.lines(), ["flush", "flushed", "last"]);
}

/// Fails in the rounds of the list.
#[background_task(every = "1s", fail_after = 3)]
async fn stubborn(bad: Vec<u32>, round: &mut u32) -> Result<(), String> {
    *round += 1;
    if bad.contains(round) { Err(format!("round {round}")) } else { Ok(()) }
}

#[shutdown_plan(budget = "60s")]
struct Stubborn {
    only: stubborn,
}

#[tokio::test(start_paused = true)]
async fn so_many_errors_in_a_row_start_the_shutdown_after_all() {
    let running = testing::start(Stubborn { only: stubborn(vec![1, 2, 4, 5, 7, 8, 9, 10], 0) }).unwrap();
    let report = running.stopped().await;
    // Those of rounds 1 and 2 were followed by a success, and so were 4 and 5.
    assert_eq!(report.reason, Reason::Failed("stubborn", "round 9".into()));
    assert_eq!(report.member("stubborn").unwrap().outcome, Outcome::Failed("round 9".into()));
    let running = testing::start(Stubborn { only: stubborn(vec![1, 2, 4, 5], 0) }).unwrap();
    sleep(seconds(600)).await;
    assert!(stop(running).await.is_clean());
}
