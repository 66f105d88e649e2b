//! What a stop of an idle service costs, and asking whether it is time.
//! `stops_in_turns` has stops beside the same by hand.
//!
//! `cargo bench -p shutdown-benchmarks --bench stop`. Quote ratios within one run.

use criterion::{Criterion, criterion_group, criterion_main};
use shutdown_benchmarks::{hosted, stopped};
use shutdown_runtime::{Resource, Shutdown, background_task, resource, shutdown_plan, testing};
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;

#[background_task]
async fn idle(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[resource(close = async |_: &Pool| ())]
struct Pool;

#[shutdown_plan(budget = "60s", pre_stop = "10s")]
struct Service {
    ingress: idle,
    workers: idle,
    storage: Resource<Pool>,
}

fn service() -> Service {
    Service { ingress: idle(), workers: idle(), storage: Resource::new(Pool) }
}

fn runtime() -> Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime")
}

fn idle_service(criterion: &mut Criterion) {
    let runtime = runtime();
    let mut group = criterion.benchmark_group("stop of an idle service");
    group.sample_size(30);
    group.bench_function("plan of three phases", |bencher| {
        bencher.iter_custom(|rounds| {
            (0..rounds)
                .map(|_| {
                    runtime.block_on(async {
                        stopped(testing::start(service()).expect("nothing hinders it")).await
                    })
                })
                .sum()
        });
    });
    group.finish();
}

fn asking(criterion: &mut Criterion) {
    let runtime = runtime();
    let (running, shutdown) = runtime.block_on(hosted());
    let token = CancellationToken::new();
    let mut group = criterion.benchmark_group("is it time to stop");
    group.bench_function("CancellationToken::is_cancelled", |bencher| bencher.iter(|| token.is_cancelled()));
    group.bench_function("Shutdown::is_requested", |bencher| bencher.iter(|| shutdown.is_requested()));
    group.finish();
    runtime.block_on(stopped(running));
}

criterion_group!(benches, idle_service, asking);
criterion_main!(benches);
