//! Whole stops beside the same by hand, in turns, and what an idle child keeps of memory.
//!
//! `cargo bench -p shutdown-benchmarks --bench stops_in_turns`. Prints medians, and the median of the pairs' ratios.

use std::process::Command;
use std::time::{Duration, Instant};

use shutdown_benchmarks::{hosted, stopped};
use shutdown_runtime::{Shutdown, background_task, shutdown_plan, testing};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

#[background_task]
async fn absent(shutdown: Shutdown) {
    shutdown.requested().await;
}

/// A plan of one task and as many empty phases as names.
macro_rules! phases {
    ($plan:ident: $($field:ident)*) => {
        #[shutdown_plan(budget = "2000s")]
        struct $plan {
            first: absent,
            $($field: Option<absent>,)*
        }

        impl $plan {
            fn new() -> Self {
                Self { first: absent(), $($field: None,)* }
            }
        }
    };
}

phases! { Bare: }
phases! { Hundred:
    p00 p01 p02 p03 p04 p05 p06 p07 p08 p09 p10 p11 p12 p13 p14 p15 p16 p17 p18 p19
    p20 p21 p22 p23 p24 p25 p26 p27 p28 p29 p30 p31 p32 p33 p34 p35 p36 p37 p38 p39
    p40 p41 p42 p43 p44 p45 p46 p47 p48 p49 p50 p51 p52 p53 p54 p55 p56 p57 p58 p59
    p60 p61 p62 p63 p64 p65 p66 p67 p68 p69 p70 p71 p72 p73 p74 p75 p76 p77 p78 p79
    p80 p81 p82 p83 p84 p85 p86 p87 p88 p89 p90 p91 p92 p93 p94 p95 p96 p97 p98 p99
}

const CHILDREN: usize = 10_000;
const PHASES: usize = 100;

/// Lets everyone who was spawned come to wait.
async fn settle() {
    tokio::time::sleep(Duration::from_millis(20)).await;
}

async fn children_by_hand() -> Duration {
    let (token, tracker) = (CancellationToken::new(), TaskTracker::new());
    for _ in 0..CHILDREN {
        tracker.spawn(token.clone().cancelled_owned());
    }
    settle().await;
    let began = Instant::now();
    tracker.close();
    token.cancel();
    tracker.wait().await;
    began.elapsed()
}

async fn children_by_plan() -> Duration {
    let (running, shutdown) = hosted().await;
    for _ in 0..CHILDREN {
        drop(shutdown.spawn(shutdown.requested()));
    }
    settle().await;
    stopped(running).await
}

/// Each phase has a token and a tracker, and is timed; its line of a report keeps the name.
async fn phases_by_hand() -> Duration {
    let phases: Vec<_> = (0..PHASES)
        .map(|number| (format!("p{number:02}"), CancellationToken::new(), TaskTracker::new()))
        .collect();
    let began = Instant::now();
    let mut lines = Vec::new();
    for (name, token, tracker) in &phases {
        let begins = Instant::now();
        token.cancel();
        tracker.close();
        tracker.wait().await;
        lines.push((name.clone(), begins.duration_since(began), begins.elapsed()));
    }
    std::hint::black_box(&lines);
    began.elapsed()
}

/// What a hundred empty phases add to the stop of a plan.
async fn phases_by_plan() -> Duration {
    let with = stopped(testing::start(Hundred::new()).expect("nothing hinders it")).await;
    let without = stopped(testing::start(Bare::new()).expect("nothing hinders it")).await;
    with.saturating_sub(without)
}

fn median(mut samples: Vec<f64>) -> f64 {
    samples.sort_by(f64::total_cmp);
    samples[samples.len() / 2]
}

async fn in_turns(
    what: &str,
    rounds: usize,
    hand: impl AsyncFn() -> Duration,
    plan: impl AsyncFn() -> Duration,
) {
    let (mut by_hand, mut by_plan) = (Vec::new(), Vec::new());
    for round in 0..rounds {
        // Whoever goes second finds a warmer machine.
        if round % 2 == 0 {
            by_hand.push(hand().await.as_secs_f64() * 1e6);
            by_plan.push(plan().await.as_secs_f64() * 1e6);
        } else {
            by_plan.push(plan().await.as_secs_f64() * 1e6);
            by_hand.push(hand().await.as_secs_f64() * 1e6);
        }
    }
    let ratio = median(by_plan.iter().zip(&by_hand).map(|(plan, hand)| plan / hand).collect());
    let (hand, plan) = (median(by_hand), median(by_plan));
    println!("{what}: by hand {hand:.1} us, plan {plan:.1} us, {ratio:.2} x (median of pairs)");
}

/// What is resident of this process, in bytes; 0 where the system does not say.
fn resident() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<usize>().ok());
    kilobytes.unwrap_or(0) * 1024
}

/// In a process of its own: what one child of very many keeps while it waits.
async fn memory(of: &str) {
    const MANY: usize = 200_000;
    let (running, shutdown) = hosted().await;
    let (token, tracker) = (CancellationToken::new(), TaskTracker::new());
    let before = resident();
    for _ in 0..MANY {
        match of {
            "plan" => drop(shutdown.spawn(shutdown.requested())),
            _ => drop(tracker.spawn(token.clone().cancelled_owned())),
        }
    }
    settle().await;
    settle().await;
    println!("{}", resident().saturating_sub(before) / MANY);
    token.cancel();
    stopped(running).await;
}

fn memory_of(which: &str) -> usize {
    let this = std::env::current_exe().expect("a path");
    let output = Command::new(this).args(["memory", which]).output().expect("it runs");
    String::from_utf8_lossy(&output.stdout).trim().parse().expect("a number of bytes")
}

fn main() {
    let arguments: Vec<_> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("a runtime");
    if let [_, which] = arguments.as_slice() {
        return runtime.block_on(memory(which));
    }
    runtime.block_on(async {
        in_turns("stop of 10,000 idle children", 150, children_by_hand, children_by_plan).await;
        in_turns("walk of 100 empty phases", 2_000, phases_by_hand, phases_by_plan).await;
    });
    let (hand, plan) = (memory_of("hand"), memory_of("plan"));
    #[allow(clippy::cast_precision_loss, reason = "small numbers")]
    let ratio = plan as f64 / hand as f64;
    println!("an idle child: by hand {hand} bytes, plan {plan} bytes, {ratio:.2} x");
}
