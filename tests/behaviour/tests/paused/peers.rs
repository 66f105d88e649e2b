//! Faults that were reported against other libraries, by the row of the collection. `tests/README.md` says where the other
//! rows are.

use std::future::Future as _;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Instant;

use shutdown_runtime::{
    Lease, Outcome, Resource, Shutdown, ShutdownHandle, background_task, resource, shutdown_plan, testing,
};
use tokio::sync::{mpsc, oneshot};
use tokio::time::sleep;

use crate::support::{Db, Log, millis, seconds, stop, timed_stop};

/// Hands its `Shutdown` out, so that the test can use it.
#[background_task(budget = "1s")]
async fn lends_itself(out: oneshot::Sender<Shutdown>, shutdown: Shutdown) {
    let _ = out.send(shutdown.clone());
    shutdown.requested().await;
}

#[shutdown_plan(budget = "30s")]
struct Plain {
    first: lends_itself,
    storage: Resource<Db>,
}

async fn plain(log: &Log) -> (shutdown_runtime::Running, Shutdown) {
    let (sender, receiver) = oneshot::channel();
    let plan = Plain { first: lends_itself(sender), storage: Resource::new(Db(log.clone())) };
    let running = testing::start(plan).unwrap();
    (running, receiver.await.unwrap())
}

/// A waker that comes back into what wakes it.
struct Reenters {
    shutdown: Shutdown,
    handle: ShutdownHandle,
    woken: AtomicBool,
}

impl Wake for Reenters {
    fn wake(self: Arc<Self>) {
        self.handle.request_now("from a waker");
        self.shutdown.token().cancel();
        assert!(self.shutdown.is_requested() && self.shutdown.is_draining());
        let mut again = pin!(self.shutdown.requested());
        assert!(again.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_ready());
        self.woken.store(true, Ordering::SeqCst);
    }
}

#[tokio::test(start_paused = true)]
async fn peer_05_a_waker_may_come_back_into_what_wakes_it() {
    let (running, shutdown) = plain(&Log::default()).await;
    let waker = Arc::new(Reenters {
        handle: running.handle(),
        woken: AtomicBool::new(false),
        shutdown: shutdown.clone(),
    });
    let mut requested = pin!(shutdown.requested());
    let as_waker = Waker::from(Arc::clone(&waker));
    assert!(requested.as_mut().poll(&mut Context::from_waker(&as_waker)).is_pending());
    let report = stop(running).await;
    assert!(report.is_clean(), "{report}");
    assert!(waker.woken.load(Ordering::SeqCst));
}

#[background_task(budget = "5s")]
async fn produces(producer: Lease<Producer>, shutdown: Shutdown) {
    shutdown.requested().await;
    for message in 0..10 {
        producer.buffered.lock().unwrap().push(message);
    }
}

#[resource(close = flush, budget = "5s")]
struct Producer {
    buffered: Mutex<Vec<u32>>,
    broker: mpsc::Sender<u32>,
}

async fn flush(producer: &Producer) -> Result<(), mpsc::error::SendError<u32>> {
    let buffered = std::mem::take(&mut *producer.buffered.lock().unwrap());
    for message in buffered {
        sleep(millis(10)).await;
        producer.broker.send(message).await?;
    }
    Ok(())
}

#[background_task(budget = "5s")]
async fn retries(log: Log, shutdown: Shutdown) {
    while !shutdown.is_requested() {
        log.add("attempt");
        shutdown.sleep(seconds(60)).await;
    }
}

#[shutdown_plan(budget = "30s")]
struct Producing {
    consumers: (produces, retries),
    producer: Resource<Producer>,
}

#[tokio::test(start_paused = true)]
async fn peer_14_a_retry_loop_wakes_and_the_buffer_is_flushed_after_its_writers() {
    let (broker, mut topic) = mpsc::channel(100);
    let log = Log::default();
    let producer = Resource::new(Producer { buffered: Mutex::default(), broker });
    let plan = Producing { consumers: (produces(producer.lease()), retries(log.clone())), producer };
    let running = testing::start(plan).unwrap();
    sleep(seconds(1)).await;
    let (report, elapsed) = timed_stop(running).await;
    assert!(report.is_clean(), "{report}");
    assert!(elapsed < millis(300), "{elapsed:?}");
    assert_eq!(log.lines(), ["attempt"], "no further one");
    let mut delivered = 0;
    while topic.try_recv().is_ok() {
        delivered += 1;
    }
    assert_eq!(delivered, 10);
}

#[resource(close = async |_: &Blocks| std::thread::sleep(seconds(10)), budget = "1s")]
struct Blocks;

#[shutdown_plan(budget = "30s")]
struct Blocking {
    blocks: Resource<Blocks>,
    storage: Resource<Db>,
}

/// By the real clock, and on one thread: a close that blocked it would block everything.
#[tokio::test]
async fn peer_15_a_close_that_blocks_on_a_current_thread_runtime_is_bounded_and_named() {
    let log = Log::default();
    let running = Blocking { blocks: Resource::new(Blocks), storage: Resource::new(Db(log.clone())) };
    let running = running.start().unwrap();
    let began = Instant::now();
    let report = stop(running).await;
    assert!(began.elapsed() < millis(2_500), "{:?}", began.elapsed());
    assert_eq!(report.member("Blocks").unwrap().outcome, Outcome::Abandoned, "{report}");
    assert_eq!(log.lines(), ["Db closed"]);
}

#[tokio::test(start_paused = true)]
async fn peer_22_a_wait_that_is_polled_a_million_times_completes() {
    let (running, shutdown) = plain(&Log::default()).await;
    let mut requested = pin!(shutdown.requested());
    for _ in 0..1_000_000 {
        assert!(requested.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    }
    let report = stop(running).await;
    assert!(report.is_clean(), "{report}");
    assert_eq!(requested.as_mut().poll(&mut Context::from_waker(Waker::noop())), Poll::Ready(()));
}

#[background_task(budget = "5s")]
async fn parent(log: Log, shutdown: Shutdown) {
    for _ in 0..3 {
        let (log, told) = (log.clone(), shutdown.clone());
        let child = shutdown.spawn(async move {
            told.requested().await;
            sleep(millis(200)).await;
            log.add("cleaned up");
        });
        assert!(child.is_ok());
    }
    shutdown.requested().await;
}

#[shutdown_plan(budget = "30s")]
struct Family {
    parents: parent,
    storage: Resource<Db>,
}

#[tokio::test(start_paused = true)]
async fn peer_23_children_clean_up_before_their_phase_is_over() {
    let log = Log::default();
    let plan = Family { parents: parent(log.clone()), storage: Resource::new(Db(log.clone())) };
    let running = testing::start(plan).unwrap();
    sleep(millis(10)).await;
    let report = stop(running).await;
    assert!(report.is_clean(), "{report}");
    assert_eq!(log.lines(), ["cleaned up", "cleaned up", "cleaned up", "Db closed"]);
}

#[background_task(budget = "1s")]
async fn needs(time: u64, log: Log, shutdown: Shutdown) {
    shutdown.requested().await;
    sleep(millis(time)).await;
    log.add("done");
}

#[shutdown_plan(budget = "30s")]
struct Needing {
    work: needs,
}

#[tokio::test(start_paused = true)]
async fn peer_27_who_fits_its_limit_is_not_cut_and_who_does_not_is() {
    for (time, lines) in [(300, 1), (1_300, 0)] {
        let log = Log::default();
        let (report, elapsed) =
            timed_stop(testing::start(Needing { work: needs(time, log.clone()) }).unwrap()).await;
        assert_eq!(log.lines().len(), lines, "{report}");
        assert_eq!(report.is_clean(), lines == 1);
        assert!(elapsed < millis(1_110), "{elapsed:?}");
    }
}

#[background_task(budget = "1s")]
async fn busy(log: Log, shutdown: Shutdown) {
    loop {
        tokio::select! {
            biased;
            () = async { for _ in 0..3 { tokio::task::yield_now().await } } => {
                sleep(millis(1)).await;
                if shutdown.is_requested() {
                    break;
                }
            }
            () = shutdown.requested() => break,
        }
    }
    log.add("told");
}

#[shutdown_plan(budget = "30s")]
struct Busy {
    work: busy,
}

#[tokio::test(start_paused = true)]
async fn peer_30_a_stop_while_another_branch_is_polled_is_not_lost() {
    for moment in 0..50 {
        let log = Log::default();
        let running = testing::start(Busy { work: busy(log.clone()) }).unwrap();
        sleep(millis(moment)).await;
        let report = stop(running).await;
        assert!(report.is_clean(), "{report}");
        assert_eq!(log.lines(), ["told"]);
    }
}
