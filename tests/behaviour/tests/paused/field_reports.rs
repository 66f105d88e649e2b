//! Trouble that others reported, by the row of the collection: pools, tasks, budgets. `tests/README.md` says where the
//! other rows are.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use shutdown_runtime::{
    Closing, Lease, Outcome, Resource, Shutdown, background_task, resource, shutdown_plan, testing,
};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio::time::sleep;

use crate::support::{Db, Log, millis, seconds, stop, timed_stop};

const SIZE: u32 = 5;

/// A pool as the database clients have it: its close refuses new connections and waits for every one that is out.
#[derive(Clone, Debug)]
struct Connections(Arc<Semaphore>);

/// Gives itself back when it is dropped.
type Connection = OwnedSemaphorePermit;

impl Connections {
    fn new() -> Self {
        Self(Arc::new(Semaphore::new(SIZE as usize)))
    }

    async fn acquire(&self) -> Result<Connection, &'static str> {
        Arc::clone(&self.0).acquire_owned().await.map_err(|_| "the pool is closed")
    }

    async fn close(&self) {
        let every_one = self.0.acquire_many(SIZE).await;
        drop(every_one);
        self.0.close();
    }

    fn out(&self) -> usize {
        SIZE as usize - self.0.available_permits()
    }
}

#[resource(close = close_pool, budget = "4s")]
struct Pool {
    connections: Connections,
    log: Log,
}

async fn close_pool(pool: &Pool, closing: Closing) -> Result<(), String> {
    // What a close that knows its limit can say of what is out.
    let limit = closing.time_left().saturating_sub(millis(100));
    if tokio::time::timeout(limit, pool.connections.close()).await.is_err() {
        return Err(format!("{} of {SIZE} connections are still out", pool.connections.out()));
    }
    pool.log.add("Pool closed");
    Ok(())
}

impl Pool {
    fn new(log: &Log) -> Resource<Self> {
        Resource::new(Self { connections: Connections::new(), log: log.clone() })
    }
}

/// What a handler does with its connection once the stop has come.
#[derive(Clone, Copy, Debug)]
enum Handling {
    Parks,
    Forgets,
    KeepsFor(u64),
    GivesBackFromATask,
}

#[background_task(budget = "6s")]
async fn handler(how: Handling, pool: &Pool, parked: mpsc::Sender<Connection>, shutdown: Shutdown) {
    let connection = pool.connections.acquire().await.unwrap();
    shutdown.requested().await;
    match how {
        Handling::Parks => drop(parked.try_send(connection)),
        Handling::Forgets => std::mem::forget(connection),
        Handling::KeepsFor(time) => sleep(millis(time)).await,
        Handling::GivesBackFromATask => {
            tokio::spawn(async move {
                sleep(millis(30)).await;
                drop(connection);
            });
        }
    }
}

#[shutdown_plan(budget = "60s")]
struct Service {
    ingress: handler,
    pool: Resource<Pool>,
    storage: Resource<Db>,
}

fn service(how: Handling, log: &Log) -> (Service, mpsc::Receiver<Connection>) {
    let (parked, kept) = mpsc::channel(1);
    let pool = Pool::new(log);
    (Service { ingress: handler(how, &pool, parked), pool, storage: Resource::new(Db(log.clone())) }, kept)
}

#[tokio::test(start_paused = true)]
async fn field_report_21_and_29_a_connection_that_never_comes_back() {
    for how in [Handling::Parks, Handling::Forgets] {
        let log = Log::default();
        let (plan, _kept) = service(how, &log);
        let (report, elapsed) = timed_stop(testing::start(plan).unwrap()).await;
        let outcome = &report.member("Pool").unwrap().outcome;
        assert_eq!(*outcome, Outcome::Failed("1 of 5 connections are still out".to_owned()), "{report}");
        assert!(elapsed < millis(4_100), "the pool's limit, and nothing more: {elapsed:?}");
        assert_eq!(log.lines(), ["Db closed"], "what follows still closes");
        assert_eq!(report.exit_code(), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn field_report_22_and_23_closed_means_that_no_connection_is_out() {
    for how in [Handling::GivesBackFromATask, Handling::KeepsFor(500)] {
        let log = Log::default();
        let (plan, _kept) = service(how, &log);
        let connections = plan_connections(&plan);
        let report = stop(testing::start(plan).unwrap()).await;
        assert!(report.is_clean(), "{report}");
        assert_eq!(log.lines(), ["Pool closed", "Db closed"]);
        assert_eq!(connections.out(), 0);
    }
}

/// A clone of the inner pool, as only its own module can make one.
fn plan_connections(plan: &Service) -> Connections {
    plan.pool.lease().connections.clone()
}

#[tokio::test(start_paused = true)]
async fn field_report_26_an_idle_service_uses_none_of_its_time() {
    for _ in 0..20 {
        let log = Log::default();
        let (plan, _kept) = service(Handling::KeepsFor(0), &log);
        let (report, elapsed) = timed_stop(testing::start(plan).unwrap()).await;
        assert!(report.is_clean() && elapsed < millis(10), "{elapsed:?}\n{report}");
        assert!(report.members().all(|member| member.slack() > member.limit / 2), "{report}");
    }
}

/// Hands every message to a task that is tracked, as a listener with concurrent handlers does.
#[background_task(budget = "10s")]
async fn consumer(
    pool: Lease<Pool>,
    mut messages: mpsc::Receiver<u64>,
    lost: Arc<AtomicU64>,
    shutdown: Shutdown,
) {
    while let Some(Some(_message)) = shutdown.run_until_requested(messages.recv()).await {
        let (pool, lost) = (pool.clone(), Arc::clone(&lost));
        let handled = shutdown.spawn(async move {
            sleep(seconds(2)).await;
            // The write comes last: by then the consumer itself has long returned.
            if pool.connections.acquire().await.is_ok() {
                lost.fetch_sub(1, Ordering::SeqCst);
            }
        });
        assert!(handled.is_ok(), "a message that was taken is handled");
    }
}

#[shutdown_plan(budget = "60s")]
struct Consuming {
    consumers: consumer,
    pool: Resource<Pool>,
}

#[tokio::test(start_paused = true)]
async fn field_report_31_and_33_what_was_taken_is_handled_before_the_pool_closes() {
    let (log, lost) = (Log::default(), Arc::new(AtomicU64::new(100)));
    let (sender, messages) = mpsc::channel(100);
    for message in 0..100 {
        sender.send(message).await.unwrap();
    }
    let pool = Pool::new(&log);
    let plan = Consuming { consumers: consumer(pool.lease(), messages, Arc::clone(&lost)), pool };
    let running = testing::start(plan).unwrap();
    sleep(millis(10)).await;
    let (report, elapsed) = timed_stop(running).await;
    assert!(report.is_clean(), "{report}");
    assert_eq!(lost.load(Ordering::SeqCst), 0, "lost, or met a closed pool");
    assert!(elapsed >= millis(1_900) && elapsed < millis(2_200), "{elapsed:?}");
    assert_eq!(log.lines(), ["Pool closed"]);
}

#[background_task(budget = "20s")]
async fn requests(log: Log, shutdown: Shutdown) {
    shutdown.requested().await;
    sleep(seconds(15)).await;
    log.add("request answered");
}

/// Takes nothing more from the first moment on, though its phase is told only later.
#[background_task(budget = "20s")]
async fn intake(log: Log, shutdown: Shutdown) {
    shutdown.draining().await;
    log.add("intake stopped");
    sleep(seconds(15)).await;
    log.add("message done");
    shutdown.requested().await;
}

#[shutdown_plan(budget = "60s")]
struct Draining {
    http: requests,
    consumers: intake,
}

#[tokio::test(start_paused = true)]
async fn field_report_107_intake_stops_at_once_while_requests_drain() {
    let log = Log::default();
    let plan = Draining { http: requests(log.clone()), consumers: intake(log.clone()) };
    let running = testing::start(plan).unwrap();
    sleep(millis(1)).await;
    let (report, elapsed) = timed_stop(running).await;
    assert!(report.is_clean(), "{report}");
    assert_eq!(log.lines()[0], "intake stopped");
    assert!(elapsed < millis(15_100), "15 s beside each other, not 30: {elapsed:?}");
}

#[background_task(budget = "5s")]
async fn queue_worker(shutdown: Shutdown) {
    shutdown.requested().await;
    sleep(seconds(4)).await;
}

#[shutdown_plan(budget = "60s")]
struct Workers {
    workers: Vec<queue_worker>,
}

#[tokio::test(start_paused = true)]
async fn field_report_115_workers_finish_beside_each_other() {
    let plan = Workers { workers: (0..8).map(|_| queue_worker()).collect() };
    let (report, elapsed) = timed_stop(testing::start(plan).unwrap()).await;
    assert!(report.is_clean(), "{report}");
    assert!(elapsed < millis(4_100), "{elapsed:?}");
}
