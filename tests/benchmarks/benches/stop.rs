//! What a stop costs: an idle service, many idle children, many phases, and asking whether it is time.
//!
//! `cargo bench -p shutdown-benchmarks --bench stop`. Quote ratios within one run.

use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use shutdown_runtime::{Resource, Running, Shutdown, background_task, resource, shutdown_plan, testing};
use tokio::runtime::Runtime;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

#[background_task]
async fn host(out: oneshot::Sender<Shutdown>, shutdown: Shutdown) {
    let _ = out.send(shutdown.clone());
    shutdown.requested().await;
}

#[background_task]
async fn idle(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[resource(close = async |_: &Pool| ())]
struct Pool;

#[shutdown_plan(budget = "60s", pre_stop = "10s")]
struct Service {
    ingress: (host, idle),
    workers: idle,
    storage: Resource<Pool>,
}

async fn service() -> (Running, Shutdown) {
    let (sender, receiver) = oneshot::channel();
    let plan = Service { ingress: (host(sender), idle()), workers: idle(), storage: Resource::new(Pool) };
    let running = testing::start(plan).expect("nothing hinders it");
    (running, receiver.await.expect("it sends"))
}

fn runtime() -> Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime")
}

async fn stopped(running: Running) -> Duration {
    let began = Instant::now();
    running.handle().request_now("the benchmark");
    let report = running.stopped().await;
    let elapsed = began.elapsed();
    assert!(report.is_clean(), "{report}");
    elapsed
}

/// Ten thousand children that wait for the stop.
const CHILDREN: usize = 10_000;

fn idle_children(criterion: &mut Criterion) {
    let runtime = runtime();
    let mut group = criterion.benchmark_group("stop of 10,000 idle children");
    group.sample_size(20).measurement_time(Duration::from_secs(8));
    group.bench_function("token and tracker by hand", |bencher| {
        bencher.iter_custom(|rounds| (0..rounds).map(|_| runtime.block_on(by_hand())).sum());
    });
    group.bench_function("plan", |bencher| {
        bencher.iter_custom(|rounds| (0..rounds).map(|_| runtime.block_on(by_plan())).sum());
    });
    group.finish();
}

async fn by_hand() -> Duration {
    let (token, tracker) = (CancellationToken::new(), TaskTracker::new());
    for _ in 0..CHILDREN {
        tracker.spawn(token.clone().cancelled_owned());
    }
    // Let all of them wait.
    tokio::time::sleep(Duration::from_millis(20)).await;
    let began = Instant::now();
    tracker.close();
    token.cancel();
    tracker.wait().await;
    began.elapsed()
}

async fn by_plan() -> Duration {
    let (running, shutdown) = service().await;
    for _ in 0..CHILDREN {
        drop(shutdown.spawn(shutdown.requested()));
    }
    tokio::time::sleep(Duration::from_millis(20)).await;
    stopped(running).await
}

fn idle_service(criterion: &mut Criterion) {
    let runtime = runtime();
    let mut group = criterion.benchmark_group("stop of an idle service");
    group.sample_size(30);
    group.bench_function("plan of three phases", |bencher| {
        bencher.iter_custom(|rounds| {
            (0..rounds).map(|_| runtime.block_on(async { stopped(service().await.0).await })).sum()
        });
    });
    group.finish();
}

fn asking(criterion: &mut Criterion) {
    let runtime = runtime();
    let (running, shutdown) = runtime.block_on(service());
    let token = CancellationToken::new();
    let mut group = criterion.benchmark_group("is it time to stop");
    group.bench_function("CancellationToken::is_cancelled", |bencher| bencher.iter(|| token.is_cancelled()));
    group.bench_function("Shutdown::is_requested", |bencher| bencher.iter(|| shutdown.is_requested()));
    group.finish();
    runtime.block_on(stopped(running));
}

criterion_group!(benches, idle_children, idle_service, asking);
criterion_main!(benches);
