//! Defects of the style guide's own code, by their number in `docs/defects.md`: here the same service is without them.

use std::sync::atomic::{AtomicU32, Ordering};

use shutdown_runtime::{
    Closing, Lease, Outcome, Reason, Resource, Shutdown, background_task, resource, shutdown_plan, testing,
};
use tokio::sync::oneshot;
use tokio::time::{sleep, timeout};

use crate::support::{Db, Log, listen, millis, seconds, stop, timed_stop, warnings};

/// A producer whose broker never confirms anything.
#[resource(close = flush, budget = "5s")]
struct Producer {
    unconfirmed: AtomicU32,
}

impl Producer {
    /// Retries for ever, as the guide has it.
    async fn publish(&self) {
        self.unconfirmed.fetch_add(1, Ordering::Relaxed);
        std::future::pending::<()>().await;
    }
}

async fn flush(producer: &Producer, closing: Closing) -> Result<(), String> {
    let flushed =
        timeout(closing.time_left().saturating_sub(millis(200)), std::future::pending::<()>()).await;
    flushed.map_err(|_| format!("{} undelivered", producer.unconfirmed.load(Ordering::Relaxed)))
}

/// Its critical section has no end of its own.
#[background_task(every = "500ms", budget = "10s")]
async fn relay(db: &Db, producer: Lease<Producer>, shutdown: Shutdown) {
    db.0.add("batch begun");
    let _ = shutdown.critical(async move { producer.publish().await }).await;
}

#[shutdown_plan(budget = "60s", pre_stop = "10s")]
struct Relaying {
    workers: relay,
    producer: Resource<Producer>,
    storage: Resource<Db>,
}

#[tokio::test(start_paused = true)]
async fn defect_07_retries_without_end_are_cut_and_the_undelivered_counted() {
    let log = Log::default();
    let (db, producer) = (Resource::new(Db(log.clone())), Resource::new(Producer { unconfirmed: 0.into() }));
    let plan = Relaying { workers: relay(&db, producer.lease()), producer, storage: db };
    let running = testing::start(plan).unwrap();
    sleep(seconds(1)).await;
    let (report, took) = timed_stop(running).await;
    let outcome = |name| report.member(name).unwrap().outcome.clone();
    assert_eq!(outcome("relay"), Outcome::TimedOut, "{report}");
    assert_eq!(outcome("Producer"), Outcome::Failed("1 undelivered".into()), "{report}");
    assert_eq!(outcome("Db"), Outcome::Completed, "what comes later has its turn");
    assert_eq!(log.lines(), ["batch begun", "Db closed"]);
    // Its 10 s, and of the close's 5 s all but what it keeps for its answer.
    assert!(took >= millis(14_800) && took < seconds(15), "{took:?}");
    assert_eq!(report.exit_code(), 1);
}

/// Takes whatever cancels its fetch for the end of the service.
#[background_task]
async fn order_consumer(fetched: oneshot::Receiver<u32>, db: &Db, shutdown: Shutdown) {
    match shutdown.run_until_requested(fetched).await {
        Some(Ok(message)) => db.0.add(format!("handled {message}")),
        Some(Err(_)) => db.0.add("canceled by someone else"),
        None => db.0.add("stopped"),
    }
}

#[shutdown_plan(budget = "60s")]
struct Consuming {
    consumers: order_consumer,
    storage: Resource<Db>,
}

#[tokio::test(start_paused = true)]
async fn defect_14_a_cancellation_that_is_not_the_stop_is_a_failure() {
    for is_stop in [true, false] {
        let log = Log::default();
        let (broker, fetched) = oneshot::channel();
        let db = Resource::new(Db(log.clone()));
        let running =
            testing::start(Consuming { consumers: order_consumer(fetched, &db), storage: db }).unwrap();
        sleep(seconds(1)).await;
        if is_stop {
            let report = stop(running).await;
            assert_eq!((report.is_clean(), report.exit_code()), (true, 0), "{report}");
            assert_eq!(log.lines(), ["stopped", "Db closed"]);
            drop(broker);
        } else {
            drop(broker);
            // Nobody asks for the stop.
            let report =
                timeout(seconds(1), running.stopped()).await.expect("a service without its consumer");
            assert!(matches!(report.reason, Reason::Failed("order_consumer", _)), "{report}");
            assert_eq!(report.exit_code(), 1);
            assert_eq!(log.lines(), ["canceled by someone else", "Db closed"]);
        }
    }
}

#[background_task(budget = "25s")]
async fn http_api(db: Lease<Db>, shutdown: Shutdown) {
    shutdown.requested().await;
    sleep(seconds(2)).await;
    drop(db);
}

/// What is interrupted is done by the next start.
#[background_task(every = "1s", stop = "drop")]
async fn expired_order_cleaner(takes: u64, db: &Db) -> Result<(), String> {
    sleep(seconds(takes)).await;
    db.0.add("cleaned");
    Err(String::from("canceling statement due to user request"))
}

/// Has no more than a second, and takes thirty where `is_slow`.
#[background_task(every = "1s", budget = "1s")]
async fn settler(is_slow: bool, db: &Db) {
    sleep(if is_slow { seconds(30) } else { millis(100) }).await;
    db.0.add("settled");
}

#[shutdown_plan(budget = "60s")]
struct Quiet {
    drains: (http_api, expired_order_cleaner, settler),
    storage: Resource<Db>,
}

fn quiet(is_slow: bool, log: &Log) -> Quiet {
    let db = Resource::new(Db(log.clone()));
    let drains = (http_api(db.lease()), expired_order_cleaner(20, &db), settler(is_slow, &db));
    Quiet { drains, storage: db }
}

#[tokio::test(start_paused = true)]
async fn defect_31_a_clean_stop_says_nothing_above_info() {
    listen();
    for is_slow in [false, true] {
        let log = Log::default();
        let running = testing::start(quiet(is_slow, &log)).unwrap();
        sleep(millis(5_500)).await;
        let report = stop(running).await;
        assert_eq!(report.member("expired_order_cleaner").unwrap().outcome, Outcome::Dropped);
        assert_eq!(report.is_clean(), !is_slow, "{report}");
        assert!(!log.lines().contains(&"cleaned".into()), "the query was under way: {:?}", log.lines());
        let said = warnings();
        assert_eq!(said.is_empty(), !is_slow, "{said:?}");
        assert!(said.iter().all(|line| line.contains("settler")), "{said:?}");
    }
}
