//! Parts and single tasks without their plan, and a task's function as written.

use std::sync::{Arc, Mutex};

use shutdown_runtime::testing::{ReportAssertions as _, TestStop, alone, lease, start};
use shutdown_runtime::{Lease, Outcome, Resource, Shutdown, background_task, resource, shutdown_plan};
use tokio::time::{Instant, sleep, timeout};

use crate::support::{millis, seconds};

type Log = Arc<Mutex<Vec<&'static str>>>;

#[resource(close = close_db, budget = "4s")]
struct Db(Log);

async fn close_db(db: &Db) {
    sleep(seconds(1)).await;
    db.0.lock().unwrap().push("closed");
}

#[background_task(budget = "20s")]
async fn relay(db: &Db, again: Lease<Db>, shutdown: Shutdown) -> Result<(), String> {
    shutdown.draining().await;
    db.0.lock().unwrap().push("draining");
    let child = shutdown.spawn(async move {
        sleep(seconds(2)).await;
        again.0.lock().unwrap().push("child done");
    });
    shutdown.requested().await;
    child.map(drop).map_err(|error| error.to_string())
}

#[background_task]
async fn front(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[shutdown_plan(part)]
struct Web {
    front: front,
    back: relay,
}

#[tokio::test(start_paused = true)]
async fn a_part_runs_with_what_it_uses() {
    let log = Log::default();
    let db = Resource::new(Db(log.clone()));
    let part = Web { front: front(), back: relay(&db, db.lease()) };
    let running = start(alone(part).with(db)).unwrap();
    running.handle().request_now("the test");
    let report = running.stopped().await;
    report.assert_clean().assert_before("front", "relay").assert_before("relay", "Db");
    assert_eq!(*log.lock().unwrap(), ["draining", "child done", "closed"]);
    assert_eq!(report.member("relay").unwrap().limit, seconds(20), "its own budget, whole");
}

#[tokio::test(start_paused = true)]
async fn a_task_without_its_resources_is_refused() {
    let db = Resource::new(Db(Log::default()));
    let refused = start(alone(relay(&db, db.lease()))).unwrap_err().to_string();
    assert!(refused.contains("Db"), "{refused}");
}

#[tokio::test(start_paused = true)]
async fn the_function_as_written_runs_without_a_plan() {
    let log = Log::default();
    let db = lease(Db(log.clone()));
    let stop = TestStop::new();
    let task = {
        let (db, shutdown) = (db.clone(), stop.shutdown());
        tokio::spawn(async move { relay::body(&db, db.clone(), shutdown).await })
    };
    sleep(seconds(1)).await;
    assert!(log.lock().unwrap().is_empty());
    stop.drain("the test");
    sleep(millis(1)).await;
    assert!(!stop.shutdown().is_requested() && !task.is_finished());
    stop.stop("the test");
    timeout(seconds(1), task).await.unwrap().unwrap().unwrap();
    assert_eq!(stop.shutdown().deadline().unwrap().duration_since(Instant::now()), seconds(10));
    assert_eq!(stop.shutdown().reason().unwrap().to_string(), "requested: the test");
    assert!(!stop.children_over(seconds(1)).await, "the child takes two seconds");
    assert!(stop.children_over(seconds(2)).await);
    assert!(stop.shutdown().spawn(async {}).is_err());
    assert_eq!(*log.lock().unwrap(), ["draining", "child done"], "what stands in no plan is not closed");
}

#[background_task(budget = "1s")]
async fn never(shutdown: Shutdown) {
    shutdown.requested().await;
    std::future::pending::<()>().await;
}

#[tokio::test(start_paused = true)]
async fn its_own_budget_bounds_the_stop() {
    let running = start(alone(never())).unwrap();
    running.handle().request_now("the test");
    running.stopped().await.assert_outcome("never", &Outcome::TimedOut).assert_within(millis(1_200));
}
