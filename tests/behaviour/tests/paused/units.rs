//! A unit of work that takes longer than was declared is told of long before any stop has to wait for it.

use std::collections::VecDeque;
use std::time::Duration;

use shutdown_runtime::{Outcome, Running, Shutdown, background_task, shutdown_plan, testing};
use tokio::sync::oneshot;
use tokio::time::sleep;

use crate::support::{Log, listen, millis, seconds, stop, timed_stop, warnings};

/// What the iterations take one after another; those that follow take no time.
type Takes = VecDeque<Duration>;

/// An iteration that never ends.
const FOR_EVER: Duration = Duration::MAX;

#[background_task(every = "1s", budget = "30s", unit = "5s")]
async fn relay(takes: &mut Takes) {
    sleep(takes.pop_front().unwrap_or_default()).await;
}

#[shutdown_plan(budget = "60s")]
struct Periodic {
    workers: relay,
}

fn periodic(takes: impl IntoIterator<Item = Duration>) -> Running {
    testing::start(Periodic { workers: relay(takes.into_iter().collect()) }).unwrap()
}

#[tokio::test(start_paused = true)]
async fn a_slow_iteration_is_told_of_at_its_limit_and_not_again_within_the_minute() {
    listen();
    let running = periodic([seconds(7), millis(10)]);
    sleep(millis(5_100)).await;
    let lines = warnings();
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(lines[0].contains("WARN"), "{lines:?}");
    assert!(lines[0].contains("an iteration is still running, past its limit member=\"relay\""), "{lines:?}");
    assert!(lines[0].contains("limit=5s"), "{lines:?}");
    sleep(seconds(2)).await;
    assert_eq!(warnings(), Vec::<String>::new());
    let report = stop(running).await;
    assert!(report.is_clean(), "slow is not wrong\n{report}");
    assert_eq!(report.member("relay").unwrap().units_over_limit, 1);
    assert!(report.to_string().contains("Completed, 1 unit over its limit"), "{report}");
}

#[tokio::test(start_paused = true)]
async fn iterations_in_time_are_silent() {
    listen();
    let running = periodic((0..100).map(|round| seconds(if round % 2 == 0 { 5 } else { 0 })));
    sleep(seconds(600)).await;
    let report = stop(running).await;
    assert_eq!(warnings(), Vec::<String>::new());
    assert_eq!(report.member("relay").unwrap().units_over_limit, 0);
    assert!(!report.to_string().contains("over"), "{report}");
}

#[tokio::test(start_paused = true)]
async fn an_iteration_that_never_ends_is_told_of_once_and_counted_when_it_is_aborted() {
    listen();
    let running = periodic([FOR_EVER]);
    sleep(seconds(3_600)).await;
    let lines = warnings();
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(lines[0].contains("still running"), "{lines:?}");
    let (report, _) = timed_stop(running).await;
    let relay = report.member("relay").unwrap();
    assert_eq!((&relay.outcome, relay.units_over_limit), (&Outcome::TimedOut, 1), "{report}");
    let lines = warnings();
    assert!(lines.iter().any(|line| line.contains("took longer than its limit")), "{lines:?}");
}

#[background_task(every = "1h", unit = "2s")]
async fn hourly() {
    sleep(seconds(1)).await;
}

#[shutdown_plan(budget = "60s")]
struct Hourly {
    only: hourly,
}

#[tokio::test(start_paused = true)]
async fn the_time_between_two_iterations_is_no_ones() {
    listen();
    let running = testing::start(Hourly { only: hourly() }).unwrap();
    sleep(seconds(9_000)).await;
    stop(running).await;
    assert_eq!(warnings(), Vec::<String>::new());
}

#[tokio::test(start_paused = true)]
async fn nothing_watches_a_task_that_is_over() {
    let running = periodic([]);
    sleep(seconds(1)).await;
    stop(running).await;
    tokio::task::yield_now().await;
    assert_eq!(tokio::runtime::Handle::current().metrics().num_alive_tasks(), 0);
}

#[tokio::test(start_paused = true)]
async fn an_iteration_that_hangs_within_the_minute_of_another_is_told_of_after_it() {
    listen();
    let running = periodic([seconds(10), FOR_EVER]);
    sleep(seconds(59)).await;
    assert_eq!(warnings().len(), 1);
    sleep(seconds(10)).await;
    let lines = warnings();
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(lines[0].contains("still running") && lines[0].contains("unsaid=1"), "{lines:?}");
    sleep(seconds(600)).await;
    assert_eq!(warnings(), Vec::<String>::new());
    stop(running).await;
}

#[tokio::test(start_paused = true)]
async fn each_iteration_that_hangs_is_told_of() {
    listen();
    let running = periodic([seconds(60); 10]);
    sleep(seconds(600)).await;
    let lines = warnings();
    assert_eq!(lines.iter().filter(|line| line.contains("still running")).count(), 10, "{lines:?}");
    assert_eq!(lines.len(), 10, "the ends fall into the same minutes: {lines:?}");
    assert!(lines[9].contains("unsaid=1"), "{lines:?}");
    stop(running).await;
}

/// Fifty items of a tenth of a second each: five seconds. No budget is written, and the default is enough.
#[background_task(batch = 50, per_item = "100ms")]
async fn consumer(out: oneshot::Sender<Shutdown>, shutdown: Shutdown) {
    let _ = out.send(shutdown.clone());
    shutdown.requested().await;
}

/// Says nothing about its units.
#[background_task]
async fn unlimited(out: oneshot::Sender<Shutdown>, shutdown: Shutdown) {
    let _ = out.send(shutdown.clone());
    shutdown.requested().await;
}

#[shutdown_plan(budget = "60s")]
struct Consumers {
    ingress: consumer,
    others: unlimited,
}

async fn consumers() -> (Running, Shutdown, Shutdown) {
    let ((first, consumer_view), (second, unlimited_view)) = (oneshot::channel(), oneshot::channel());
    let running = testing::start(Consumers { ingress: consumer(first), others: unlimited(second) }).unwrap();
    (running, consumer_view.await.unwrap(), unlimited_view.await.unwrap())
}

#[tokio::test(start_paused = true)]
async fn a_slow_unit_is_told_of_at_its_end_and_one_in_time_is_not() {
    listen();
    let (running, shutdown, unlimited) = consumers().await;
    assert_eq!(shutdown.unit(sleep(seconds(5))).await, Some(()));
    unlimited.unit(sleep(seconds(3_600))).await;
    assert_eq!(warnings(), Vec::<String>::new());
    shutdown.unit(sleep(millis(5_001))).await;
    let lines = warnings();
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(lines[0].contains("WARN"), "{lines:?}");
    assert!(
        lines[0].contains(
            "a unit of work took longer than its limit member=\"consumer\" elapsed=5.001s limit=5s"
        ),
        "{lines:?}"
    );
    let report = stop(running).await;
    assert!(report.is_clean(), "{report}");
    assert_eq!(report.member("consumer").unwrap().units_over_limit, 1);
    assert_eq!(report.member("unlimited").unwrap().units_over_limit, 0);
}

#[tokio::test(start_paused = true)]
async fn a_unit_that_its_caller_gave_up_is_told_of_too() {
    listen();
    let (running, shutdown, _) = consumers().await;
    assert!(tokio::time::timeout(seconds(4), shutdown.unit(std::future::pending::<()>())).await.is_err());
    assert_eq!(warnings(), Vec::<String>::new());
    assert!(tokio::time::timeout(seconds(6), shutdown.unit(std::future::pending::<()>())).await.is_err());
    assert_eq!(warnings().len(), 1);
    assert_eq!(stop(running).await.member("consumer").unwrap().units_over_limit, 1);
}

#[tokio::test(start_paused = true)]
async fn at_most_a_line_a_minute_which_counts_those_left_out() {
    listen();
    let (running, shutdown, _) = consumers().await;
    // Three hundred requests that are all late, ten in each second from the sixth to the thirty-fifth.
    let log = Log::default();
    for at in 0..300 {
        let (shutdown, log) = (shutdown.clone(), log.clone());
        let one = async move {
            sleep(millis(at * 100)).await;
            shutdown.unit(sleep(seconds(6))).await;
            log.add("done");
        };
        drop(tokio::spawn(one));
    }
    sleep(seconds(40)).await;
    assert_eq!(log.lines().len(), 300);
    let lines = warnings();
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(lines[0].contains("unsaid=0"), "{lines:?}");
    // None is lost from the count, and the next line has the rest.
    sleep(seconds(25)).await;
    shutdown.unit(sleep(seconds(6))).await;
    assert!(warnings()[0].contains("unsaid=299"));
    let report = stop(running).await;
    assert_eq!(report.member("consumer").unwrap().units_over_limit, 301);
    assert!(report.to_string().contains("301 units over their limit"), "{report}");
}

#[background_task(every = "1ms", budget = "800000h", unit = "700000h")]
async fn ages(log: Log) {
    log.add("again");
}

#[background_task(every = "1ms", unit = "1ms")]
async fn moments(takes: &mut Takes) {
    sleep(takes.pop_front().unwrap_or_default()).await;
}

#[shutdown_plan(budget = "850000h")]
struct Extremes {
    both: (ages, moments),
}

#[tokio::test(start_paused = true)]
async fn the_longest_and_the_shortest_limit_are_kept() {
    listen();
    let log = Log::default();
    let takes = [1, 1, 0, 2].map(millis).into();
    let running = testing::start(Extremes { both: (ages(log.clone()), moments(takes)) }).unwrap();
    sleep(millis(100)).await;
    let lines = warnings();
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(lines[0].contains("member=\"moments\" elapsed=2ms limit=1ms"), "{lines:?}");
    let report = stop(running).await;
    assert_eq!(report.member("moments").unwrap().units_over_limit, 1, "{report}");
    assert_eq!(report.member("ages").unwrap().units_over_limit, 0, "{report}");
    assert!(log.lines().len() > 50);
}

#[test]
fn the_printed_plans_show_what_a_unit_may_take() {
    let graph = Consumers::graph();
    let text = graph.text();
    assert!(text.contains("task `consumer` 10s, unit 50 x 100ms = 5s\n"), "{text}");
    assert!(text.contains("task `unlimited` 10s\n"), "{text}");
    assert!(Periodic::graph().text().contains("task `relay` 30s, unit 5s\n"));
    for drawing in [graph.mermaid(), graph.dot()] {
        assert!(drawing.contains("consumer (10s, unit 50 x 100ms = 5s)"), "{drawing}");
        assert!(drawing.contains("unlimited (10s)"), "{drawing}");
    }
    let json = graph.json();
    assert!(
        json.contains("\"name\":\"consumer\",\"kind\":\"task\",\"budget_ms\":10000,\"unit_ms\":5000,"),
        "{json}"
    );
    assert!(
        json.contains("\"name\":\"unlimited\",\"kind\":\"task\",\"budget_ms\":10000,\"unit_ms\":null,"),
        "{json}"
    );
}
