//! The same costs in turns, A B C A B C ..., so that a machine whose speed drifts slows all of them alike.
//!
//! `cargo bench -p shutdown-benchmarks --bench interleaved`. Prints medians, and ratios to `TaskTracker`.
//! With an argument (`-- children-of shutdown 20000`) it runs one of them once, for an instruction counter.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use shutdown_benchmarks::hosted;
use shutdown_runtime::Shutdown;
use tokio::sync::Notify;
use tokio_util::task::TaskTracker;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Candidate {
    Spawn,
    Tracker,
    Plan,
}

const CANDIDATES: [(&str, Candidate); 3] =
    [("tracker", Candidate::Tracker), ("spawn", Candidate::Spawn), ("shutdown", Candidate::Plan)];

struct Bench {
    tracker: TaskTracker,
    shutdown: Shutdown,
}

impl Bench {
    /// Spawns so many children and waits until they are done.
    async fn children(&self, candidate: Candidate, count: usize, waits: bool) -> Duration {
        let left = Arc::new((AtomicUsize::new(count), Notify::new()));
        let began = Instant::now();
        for _ in 0..count {
            let left = Arc::clone(&left);
            let child = async move {
                if waits {
                    tokio::task::yield_now().await;
                }
                if left.0.fetch_sub(1, Ordering::AcqRel) == 1 {
                    left.1.notify_one();
                }
            };
            match candidate {
                Candidate::Spawn => drop(tokio::spawn(child)),
                Candidate::Tracker => drop(self.tracker.spawn(child)),
                Candidate::Plan => drop(self.shutdown.spawn(child)),
            }
        }
        left.1.notified().await;
        began.elapsed()
    }
}

fn median(mut samples: Vec<f64>) -> f64 {
    samples.sort_by(f64::total_cmp);
    samples[samples.len() / 2]
}

async fn in_turns(bench: &Bench, waits: bool) {
    const ROUNDS: usize = 300;
    const CHILDREN: usize = 2_000;
    let mut samples = vec![Vec::new(); CANDIDATES.len()];
    for round in 0..ROUNDS {
        for turn in 0..CANDIDATES.len() {
            let which = (round + turn) % CANDIDATES.len();
            let elapsed = bench.children(CANDIDATES[which].1, CHILDREN, waits).await;
            #[allow(clippy::cast_precision_loss, reason = "a small constant")]
            samples[which].push(elapsed.as_secs_f64() * 1e9 / CHILDREN as f64);
        }
    }
    let ratio = |which: usize| {
        let pairs = samples[which].iter().zip(&samples[0]).map(|(one, tracker)| one / tracker);
        median(pairs.collect())
    };
    println!("child that {}:", if waits { "waits once" } else { "is done at once" });
    for (which, (name, _)) in CANDIDATES.iter().enumerate() {
        let nanos = median(samples[which].clone());
        println!("  {name:<10} median {nanos:>7.0} ns, {:.2} x TaskTracker (median of pairs)", ratio(which));
    }
}

fn main() {
    let arguments: Vec<_> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("a runtime");
    runtime.block_on(async {
        let (running, shutdown) = hosted().await;
        let bench = Bench { tracker: TaskTracker::new(), shutdown };
        if let [what, name, count] = arguments.as_slice() {
            let candidate =
                CANDIDATES.iter().find(|(each, _)| each == name).expect("tracker, spawn or shutdown").1;
            let count = count.parse().expect("a number of children");
            bench.children(candidate, count, what == "waiting-children-of").await;
        } else {
            in_turns(&bench, false).await;
            in_turns(&bench, true).await;
        }
        running.handle().request_now("the benchmark is over");
        running.stopped().await;
    });
}
