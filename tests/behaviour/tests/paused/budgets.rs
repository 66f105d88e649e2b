//! Time: one total, shared out in proportion; nothing is skipped even when nothing is left.

use shutdown_runtime::{Outcome, Resource, Shutdown, background_task, resource, shutdown_plan, testing};
use tokio::time::{Instant, sleep};

use crate::support::{Db, Log, millis, seconds, timed_stop};

#[background_task(budget = "10s")]
async fn stuck(shutdown: Shutdown) {
    shutdown.requested().await;
    std::future::pending::<()>().await;
}

#[background_task(budget = "10s")]
async fn stuck_too(shutdown: Shutdown) {
    shutdown.requested().await;
    std::future::pending::<()>().await;
}

#[resource(close = slow_close, budget = "5s")]
struct Slow;

async fn slow_close(_: &Slow) {
    sleep(seconds(2)).await;
}

#[shutdown_plan(budget = "29s")]
struct Stuck {
    first: stuck,
    second: stuck_too,
    third: Resource<Slow>,
}

fn stuck_plan() -> Stuck {
    Stuck { first: stuck(), second: stuck_too(), third: Resource::new(Slow) }
}

#[tokio::test(start_paused = true)]
async fn every_phase_gets_its_own_budget_where_the_time_is_there() {
    let (report, elapsed) = timed_stop(testing::start(stuck_plan()).unwrap()).await;
    assert_eq!(report.member("Slow").unwrap().outcome, Outcome::Completed, "{report}");
    assert!(elapsed >= seconds(22) && elapsed < millis(22_400), "{elapsed:?}");
}

#[tokio::test(start_paused = true)]
async fn a_late_cheap_close_keeps_its_share_when_less_is_granted() {
    // 12 s, margin 2 s: 10 of the 25 s that the longest path needs, so everyone gets two fifths (field report 109).
    let running = testing::start_within(stuck_plan(), seconds(12)).unwrap();
    let (report, elapsed) = timed_stop(running).await;
    assert_eq!(report.member("Slow").unwrap().outcome, Outcome::Completed, "{report}");
    assert_eq!(report.member("stuck").unwrap().limit, seconds(4));
    assert!(elapsed <= seconds(10), "{elapsed:?}");
}

#[background_task(budget = "10s")]
async fn told(log: Log, shutdown: Shutdown) {
    shutdown.requested().await;
    log.add("told");
}

#[shutdown_plan(budget = "29s")]
struct Told {
    first: Vec<stuck>,
    second: told,
    storage: Resource<Db>,
}

#[tokio::test(start_paused = true)]
async fn even_at_zero_everyone_is_told_once() {
    let log = Log::default();
    let plan = Told {
        first: vec![stuck(), stuck()],
        second: told(log.clone()),
        storage: Resource::new(Db(log.clone())),
    };
    let running = testing::start_within(plan, millis(1)).unwrap();
    sleep(millis(5)).await;
    let (report, elapsed) = timed_stop(running).await;
    assert_eq!(report.member("stuck").unwrap().outcome, Outcome::TimedOut);
    assert!(log.lines().contains(&"told".to_owned()), "{report}");
    assert!(elapsed < millis(500), "{elapsed:?}");
}

#[shutdown_plan(budget = "60s")]
struct Together {
    all: Vec<stuck>,
}

#[tokio::test(start_paused = true)]
async fn stuck_members_of_one_phase_share_its_time() {
    // Eight of them take as long as one (field report 115).
    let running = testing::start(Together { all: (0..8).map(|_| stuck()).collect() }).unwrap();
    let (report, elapsed) = timed_stop(running).await;
    assert_eq!(report.members().filter(|member| member.outcome == Outcome::TimedOut).count(), 8);
    assert!(elapsed < millis(10_200), "{elapsed:?}");
}

#[background_task(budget = "3s")]
async fn sees_its_deadline(log: Log, shutdown: Shutdown) {
    assert_eq!(shutdown.deadline(), None);
    shutdown.requested().await;
    let left = shutdown.deadline().unwrap() - Instant::now();
    log.add(format!("{} s left", left.as_secs_f64().round()));
}

#[shutdown_plan(budget = "60s")]
struct Deadline {
    only: sees_its_deadline,
}

#[tokio::test(start_paused = true)]
async fn a_member_sees_when_it_will_be_aborted() {
    let log = Log::default();
    let running = testing::start(Deadline { only: sees_its_deadline(log.clone()) }).unwrap();
    sleep(millis(1)).await;
    timed_stop(running).await;
    assert_eq!(log.lines(), ["3 s left"]);
}

#[shutdown_plan(part)]
struct Inner {
    first: stuck,
    second: stuck_too,
}

#[shutdown_plan(budget = "60s")]
struct Outer {
    #[phase(budget = "20s")]
    inner: Inner,
    after: Resource<Slow>,
}

#[tokio::test(start_paused = true)]
async fn a_part_in_need_leaves_the_rest_its_share() {
    let plan = Outer { inner: Inner { first: stuck(), second: stuck_too() }, after: Resource::new(Slow) };
    let running = testing::start_within(plan, seconds(12)).unwrap();
    let (report, elapsed) = timed_stop(running).await;
    assert_eq!(report.member("Slow").unwrap().outcome, Outcome::Completed, "{report}");
    assert!(elapsed <= seconds(10), "{elapsed:?}");
}

#[background_task(every = std::time::Duration::MAX, budget = "700000h")]
async fn never_again(log: Log) {
    log.add("once");
}

#[shutdown_plan(budget = "800000h")]
struct Ages {
    only: never_again,
}

#[tokio::test(start_paused = true)]
async fn durations_beyond_all_clocks_do_no_harm() {
    let log = Log::default();
    let running = testing::start(Ages { only: never_again(log.clone()) }).unwrap();
    sleep(millis(1)).await;
    assert!(timed_stop(running).await.0.is_clean());
    assert_eq!(log.lines(), ["once"]);
}
