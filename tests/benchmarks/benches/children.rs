//! What tracking a child costs: spawn it, and let it complete, beside tokio's own spawn and the peers' trackers.
//!
//! `cargo bench -p shutdown-benchmarks --bench children`. Quote ratios within one run.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use criterion::{BenchmarkGroup, Criterion, criterion_group, criterion_main, measurement::WallTime};
use shutdown_benchmarks::hosted;
use tokio::runtime::Runtime;
use tokio::sync::{Notify, mpsc};
use tokio_graceful_shutdown::{SubsystemBuilder, SubsystemHandle, Toplevel};
use tokio_util::task::TaskTracker;

/// Says when so many children are done; the same for every tracker.
#[derive(Clone)]
struct Countdown(Arc<(AtomicUsize, Notify)>);

impl Countdown {
    fn of(children: u64) -> Self {
        let count = usize::try_from(children).unwrap_or(usize::MAX);
        Self(Arc::new((AtomicUsize::new(count), Notify::new())))
    }

    fn done(&self) {
        if self.0.0.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.0.1.notify_one();
        }
    }

    async fn all_done(&self) {
        self.0.1.notified().await;
    }
}

/// A child that is done at its first poll, or has to wait once.
async fn child(countdown: Countdown, waits: bool) {
    if waits {
        tokio::task::yield_now().await;
    }
    countdown.done();
}

fn measured(
    group: &mut BenchmarkGroup<'_, WallTime>,
    runtime: &Runtime,
    name: &str,
    mut spawn: impl FnMut(Countdown),
) {
    group.bench_function(name, |bencher| {
        bencher.iter_custom(|children| {
            runtime.block_on(async {
                let countdown = Countdown::of(children);
                let began = Instant::now();
                for _ in 0..children {
                    spawn(countdown.clone());
                }
                countdown.all_done().await;
                began.elapsed()
            })
        });
    });
}

fn children(criterion: &mut Criterion) {
    for (name, waits) in [("child that is done at once", false), ("child that waits once", true)] {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .expect("a runtime");
        let mut group = criterion.benchmark_group(name);
        group.warm_up_time(Duration::from_secs(1)).measurement_time(Duration::from_secs(4));
        measured(&mut group, &runtime, "tokio spawn", |countdown| {
            tokio::spawn(child(countdown, waits));
        });
        let tracker = TaskTracker::new();
        measured(&mut group, &runtime, "TaskTracker", |countdown| {
            tracker.spawn(child(countdown, waits));
        });
        let (running, shutdown) = runtime.block_on(hosted());
        measured(&mut group, &runtime, "Shutdown", |countdown| {
            drop(shutdown.spawn(child(countdown, waits)));
        });
        runtime.block_on(async {
            running.handle().request_now("the benchmark is over");
            running.stopped().await;
        });
        peer(&mut group, &runtime, waits);
        group.finish();
    }
}

/// tokio-graceful-shutdown's subsystems, started by the one that stays.
fn peer(group: &mut BenchmarkGroup<'_, WallTime>, runtime: &Runtime, waits: bool) {
    let (sender, receiver) = mpsc::unbounded_channel::<Countdown>();
    let receiver = tokio::sync::Mutex::new(receiver);
    let context = runtime.enter();
    let top = Toplevel::<Box<dyn std::error::Error + Send + Sync>>::new(
        async move |handle: &mut SubsystemHandle| {
            let mut receiver = receiver.lock().await;
            while let Some(countdown) = receiver.recv().await {
                handle.start(SubsystemBuilder::new("child", async move |_: &mut SubsystemHandle| {
                    child(countdown, waits).await;
                    Ok::<(), std::io::Error>(())
                }));
            }
        },
    );
    drop(context);
    let served = runtime.spawn(top.handle_shutdown_requests(Duration::from_secs(5)));
    measured(group, runtime, "tokio-graceful-shutdown", |countdown| {
        let _ = sender.send(countdown);
    });
    drop(sender);
    let _ = runtime.block_on(served);
}

criterion_group!(benches, children);
criterion_main!(benches);
