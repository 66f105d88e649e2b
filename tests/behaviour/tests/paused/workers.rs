//! Workers with a queue that is never empty, by the rows of the collection of field reports.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use shutdown_runtime::{Outcome, Resource, Shutdown, background_task, shutdown_plan, testing};
use tokio::time::sleep;

use crate::support::{Db, Log, millis, seconds, timed_stop};

/// What a worker has begun, and what it has committed.
#[derive(Debug, Clone, Default)]
struct Ledger {
    begun: Arc<AtomicUsize>,
    committed: Arc<AtomicUsize>,
}

#[background_task(budget = "15s")]
async fn batch_worker(ledger: Ledger, shutdown: Shutdown) {
    for _ in 0..500 {
        if shutdown.is_requested() {
            return;
        }
        ledger.begun.fetch_add(1, Ordering::Relaxed);
        sleep(millis(100)).await;
        ledger.committed.fetch_add(1, Ordering::Relaxed);
    }
}

#[shutdown_plan(budget = "60s")]
struct Batches {
    batches: batch_worker,
}

#[tokio::test(start_paused = true)]
async fn field_report_50_and_51_a_batch_ends_between_two_items_and_none_begins_after_the_stop() {
    let ledger = Ledger::default();
    let running = testing::start(Batches { batches: batch_worker(ledger.clone()) }).unwrap();
    sleep(millis(950)).await;
    let begun = ledger.begun.load(Ordering::Relaxed);
    assert_eq!(begun, 10);
    let (report, elapsed) = timed_stop(running).await;
    assert!(report.is_clean() && elapsed < millis(100), "{elapsed:?} {report}");
    assert_eq!(ledger.begun.load(Ordering::Relaxed), begun);
    assert_eq!(ledger.committed.load(Ordering::Relaxed), begun);
}

#[background_task(budget = "20s")]
async fn long_job(db: &Db, shutdown: Shutdown) {
    shutdown.requested().await;
    sleep(seconds(12)).await;
    db.0.add("job done");
}

#[shutdown_plan(budget = "60s")]
struct LongJobs {
    jobs: long_job,
    storage: Resource<Db>,
}

#[tokio::test(start_paused = true)]
async fn field_report_54_a_job_of_twelve_seconds_is_done_once_before_its_database_closes() {
    let log = Log::default();
    let db = Resource::new(Db(log.clone()));
    let plan = LongJobs { jobs: long_job(&db), storage: db };
    let (report, _) = timed_stop(testing::start(plan).unwrap()).await;
    assert!(report.is_clean(), "{report}");
    assert_eq!(log.lines(), ["job done", "Db closed"]);
}

#[background_task(budget = "5s")]
async fn workflows(length: Duration, done: Ledger, shutdown: Shutdown) {
    for _ in 0..3 {
        let done = done.clone();
        let workflow = async move {
            sleep(length).await;
            done.committed.fetch_add(1, Ordering::Relaxed);
        };
        drop(shutdown.spawn(workflow).unwrap());
    }
    shutdown.requested().await;
}

#[shutdown_plan(budget = "60s")]
struct Workflows {
    workflows: workflows,
}

#[tokio::test(start_paused = true)]
async fn field_report_55_workflows_end_by_themselves_and_are_cut_at_the_limit_alone() {
    for (length, done, outcome) in [(1, 3, Outcome::Completed), (60, 0, Outcome::TimedOut)] {
        let ledger = Ledger::default();
        let plan = Workflows { workflows: workflows(seconds(length), ledger.clone()) };
        let running = testing::start(plan).unwrap();
        sleep(millis(1)).await;
        let (report, elapsed) = timed_stop(running).await;
        assert_eq!(ledger.committed.load(Ordering::Relaxed), done, "{report}");
        assert_eq!(report.member("workflows").unwrap().outcome, outcome, "{report}");
        assert!((seconds(length.min(5))..millis(5_200)).contains(&(elapsed + millis(2))), "{elapsed:?}");
    }
}
