//! Whole stops beside the same by hand, in turns, and what an idle child keeps of memory.
//!
//! `cargo bench -p shutdown-benchmarks --bench stops_in_turns`. Prints medians, and the median of the pairs' ratios.
//! With arguments it runs one of them once, for an instruction counter: `-- children plan 10000`, or with `unstopped` at
//! the end, which exits before the stop; the difference is what the stop costs. `-- phases hand 100` makes so many stops.

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
    if std::env::args().any(|argument| argument == "unstopped") {
        std::process::exit(0);
    }
}

/// The stop is carried out by a task of its own, as a plan's is.
async fn children_by_hand(children: usize) -> Duration {
    let (stop, token, tracker) = (CancellationToken::new(), CancellationToken::new(), TaskTracker::new());
    let stopper = tokio::spawn({
        let (stop, token, tracker) = (stop.clone(), token.clone(), tracker.clone());
        async move {
            stop.cancelled().await;
            tracker.close();
            token.cancel();
            tracker.wait().await;
        }
    });
    for _ in 0..children {
        tracker.spawn(token.clone().cancelled_owned());
    }
    settle().await;
    let began = Instant::now();
    stop.cancel();
    stopper.await.expect("it ends");
    began.elapsed()
}

async fn children_by_plan(children: usize) -> Duration {
    let (running, shutdown) = hosted().await;
    for _ in 0..children {
        drop(shutdown.spawn(shutdown.requested()));
    }
    settle().await;
    stopped(running).await
}

/// A service by hand whose stop is walked by a task of its own, as a plan's is: each phase has a token and a tracker, and
/// is timed; its line of a report keeps the name.
async fn walked_by_hand(phases: usize) -> Duration {
    let phases: Vec<_> = (0..phases)
        .map(|number| (format!("p{number:02}"), CancellationToken::new(), TaskTracker::new()))
        .collect();
    let stop = CancellationToken::new();
    let told = stop.clone();
    let walk = tokio::spawn(async move {
        told.cancelled().await;
        let mut lines = Vec::new();
        for (name, token, tracker) in &phases {
            let begins = Instant::now();
            token.cancel();
            tracker.close();
            tracker.wait().await;
            lines.push((name.clone(), begins, begins.elapsed()));
        }
        lines
    });
    tokio::task::yield_now().await;
    let began = Instant::now();
    stop.cancel();
    let lines = walk.await.expect("it ends");
    let elapsed = began.elapsed();
    std::hint::black_box(lines);
    elapsed
}

async fn phases_by_hand() -> Duration {
    let with = walked_by_hand(PHASES).await;
    let without = walked_by_hand(0).await;
    with.saturating_sub(without)
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

/// One kind of stop, with so many children or so many times.
async fn once(what: &str, which: &str, count: usize) {
    match (what, which) {
        ("children", "hand") => _ = children_by_hand(count).await,
        ("children", _) => _ = children_by_plan(count).await,
        _ => {
            for _ in 0..count {
                match which {
                    "hand" => _ = phases_by_hand().await,
                    "bare" => _ = stopped(testing::start(Bare::new()).expect("nothing hinders it")).await,
                    _ => _ = stopped(testing::start(Hundred::new()).expect("nothing hinders it")).await,
                }
            }
        }
    }
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
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        [] => {}
        ["memory", which] => return runtime.block_on(memory(which)),
        [what, which, count, ..] => {
            let count = count.parse().expect("a number");
            return runtime.block_on(once(what, which, count));
        }
        _ => panic!("see above"),
    }
    runtime.block_on(async {
        let (hand, plan) =
            (async || children_by_hand(CHILDREN).await, async || children_by_plan(CHILDREN).await);
        in_turns("stop of 10,000 idle children", 150, hand, plan).await;
        let (hand, plan) = (async || children_by_hand(1).await, async || children_by_plan(1).await);
        in_turns("stop of one idle child", 150, hand, plan).await;
        in_turns("walk of 100 empty phases", 2_000, phases_by_hand, phases_by_plan).await;
    });
    let (hand, plan) = (memory_of("hand"), memory_of("plan"));
    #[allow(clippy::cast_precision_loss, reason = "small numbers")]
    let ratio = plan as f64 / hand as f64;
    println!("an idle child: by hand {hand} bytes, plan {plan} bytes, {ratio:.2} x");
}
