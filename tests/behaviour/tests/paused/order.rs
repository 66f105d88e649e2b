//! Phases stop in the checked order, and are told no earlier.

use shutdown_runtime::{Resource, Shutdown, background_task, shutdown_hook, shutdown_plan, testing};
use tokio::time::sleep;

use crate::support::{Db, Log, millis, seconds, stop, timed_stop};

#[background_task(budget = "5s")]
async fn api(db: &Db, log: Log, shutdown: Shutdown) {
    shutdown.requested().await;
    sleep(seconds(2)).await;
    db.0.add("still open");
    log.add("api done");
}

#[background_task(budget = "5s")]
async fn worker(log: Log, shutdown: Shutdown) {
    // A late reader must not see the stop before its turn (peers, row 9 and 26).
    shutdown.draining().await;
    log.add(format!("worker told early: {}", shutdown.is_requested()));
    shutdown.requested().await;
    log.add("worker told");
    sleep(seconds(1)).await;
    log.add("worker done");
}

#[shutdown_hook(budget = "3s")]
async fn leave(db: &Db, log: Log) {
    db.0.add("still open for the hook");
    log.add("left");
}

#[shutdown_plan(budget = "60s")]
struct Sequence {
    ingress: api,
    workers: worker,
    cluster: leave,
    storage: Resource<Db>,
}

fn sequence(log: &Log) -> Sequence {
    let db = Resource::new(Db(log.clone()));
    Sequence {
        ingress: api(&db, log.clone()),
        workers: worker(log.clone()),
        cluster: leave(&db, log.clone()),
        storage: db,
    }
}

#[tokio::test(start_paused = true)]
async fn fields_stop_from_top_to_bottom() {
    let log = Log::default();
    let running = testing::start(sequence(&log)).unwrap();
    sleep(millis(10)).await;
    let (report, elapsed) = timed_stop(running).await;
    assert_eq!(
        log.lines(),
        [
            "worker told early: false",
            "still open",
            "api done",
            "worker told",
            "worker done",
            "still open for the hook",
            "left",
            "Db closed"
        ]
    );
    assert!(report.is_clean(), "{report}");
    assert!(elapsed >= seconds(3) && elapsed < millis(3_100), "{elapsed:?}");
    let phases: Vec<_> = report.phases.iter().map(|phase| phase.name.as_ref()).collect();
    assert_eq!(phases, ["ingress", "workers", "cluster", "storage"]);
}

#[background_task(budget = "5s")]
async fn slow(name: &'static str, takes: u64, log: Log, shutdown: Shutdown) {
    shutdown.requested().await;
    sleep(seconds(takes)).await;
    log.add(name);
}

#[background_task(budget = "5s")]
async fn other(log: Log, shutdown: Shutdown) {
    shutdown.requested().await;
    sleep(seconds(1)).await;
    log.add("other");
}

/// `left` and `right` do not know each other; `bottom` waits for both.
#[shutdown_plan(budget = "60s")]
struct Diamond {
    top: other,
    #[shutdown_order(after = top)]
    left: slow,
    #[shutdown_order(after = top)]
    right: slow,
    bottom: slow,
}

#[tokio::test(start_paused = true)]
async fn independent_phases_stop_at_the_same_time() {
    let log = Log::default();
    let plan = Diamond {
        top: other(log.clone()),
        left: slow("left", 3, log.clone()),
        right: slow("right", 2, log.clone()),
        bottom: slow("bottom", 1, log.clone()),
    };
    let (report, elapsed) = timed_stop(testing::start(plan).unwrap()).await;
    assert_eq!(log.lines(), ["other", "right", "left", "bottom"]);
    assert!(elapsed >= seconds(5) && elapsed < millis(5_100), "{elapsed:?}");
    assert_eq!(report.critical_path().collect::<Vec<_>>(), ["top", "left", "bottom"]);
}

#[background_task(budget = "5s")]
#[shutdown_order(after = other)]
async fn mailer(log: Log, shutdown: Shutdown) {
    shutdown.requested().await;
    log.add("mailer");
}

#[shutdown_plan(part)]
struct Web {
    first: other,
    then: mailer,
}

#[shutdown_plan(budget = "60s")]
struct WithPart {
    beside: (Web, Vec<slow>),
    absent: Option<leave>,
    storage: Resource<Db>,
}

#[tokio::test(start_paused = true)]
async fn a_part_keeps_its_own_order_beside_its_siblings() {
    let log = Log::default();
    let plan = WithPart {
        beside: (
            Web { first: other(log.clone()), then: mailer(log.clone()) },
            vec![slow("a", 3, log.clone()), slow("b", 2, log.clone())],
        ),
        absent: None,
        storage: Resource::new(Db(log.clone())),
    };
    let (report, elapsed) = timed_stop(testing::start(plan).unwrap()).await;
    assert_eq!(log.lines(), ["other", "mailer", "b", "a", "Db closed"]);
    assert!(elapsed < millis(3_100), "{elapsed:?}");
    assert!(report.phases.iter().any(|phase| phase.name == "beside/then"), "{report}");
    assert!(report.is_clean(), "{report}");
}

#[shutdown_plan(budget = "30s")]
struct Closes {
    storage: Resource<Db>,
}

#[tokio::test(start_paused = true)]
async fn a_plan_without_tasks_waits_for_a_trigger() {
    let log = Log::default();
    let running = testing::start(Closes { storage: Resource::new(Db(log.clone())) }).unwrap();
    sleep(seconds(3_600)).await;
    assert!(log.lines().is_empty());
    assert!(stop(running).await.is_clean());
    assert_eq!(log.lines(), ["Db closed"]);
}

#[background_task]
async fn idle(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[shutdown_plan(budget = "60s", pre_stop = "10s")]
struct Idle {
    first: idle,
    second: Vec<idle>,
    third: Resource<Db>,
}

#[tokio::test(start_paused = true)]
async fn an_idle_service_stops_in_no_time() {
    let plan = Idle {
        first: idle(),
        second: (0..100).map(|_| idle()).collect(),
        third: Resource::new(Db(Log::default())),
    };
    let (report, elapsed) = timed_stop(testing::start(plan).unwrap()).await;
    assert!(report.is_clean());
    assert!(elapsed < millis(20), "{elapsed:?}");
}
