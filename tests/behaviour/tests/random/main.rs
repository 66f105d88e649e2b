//! Random faults: a thousand stops from their seeds, each ended in time, in order, with every member accounted for.
//!
//! `FAULT_FIRST` is the first seed (0) and `FAULT_STOPS` how many follow (1,000); a failure prints the seed.

mod cast;
mod plans;
mod verdict;
mod world;

use std::sync::Arc;

use shutdown_runtime::Report;

use crate::plans::{Draw, Scenario};
use crate::verdict::Seen;
use crate::world::World;

fn number(variable: &str, otherwise: u64) -> u64 {
    std::env::var(variable).map_or(otherwise, |text| text.parse().expect("a number"))
}

/// Injected panics are part of the run: their backtraces would cost more than it.
fn silence_injected_panics() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let payload = panic.payload();
        let text = payload.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
        if text.is_none_or(|text| !text.starts_with("injected")) {
            usual(panic);
        }
    }));
}

async fn stop(draw: &mut Draw, scenario: &Scenario) -> Report {
    let running = draw.start(scenario);
    let handle = running.handle();
    let asked = scenario.asked;
    let now = scenario.now;
    tokio::spawn(async move {
        tokio::time::sleep(asked).await;
        if now { handle.request_now("asked") } else { handle.request("asked") }
    });
    running.stopped().await
}

/// What was wrong with one stop.
fn run(seed: u64) -> Vec<String> {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
    let world = Arc::new(World::default());
    let mut draw = Draw::new(seed, &world);
    let scenario = draw.scenario();
    let report = runtime.block_on(async {
        let report = stop(&mut draw, &scenario).await;
        // What was aborted is dropped by the runtime in its next turn.
        tokio::task::yield_now().await;
        report
    });
    let mut verdict = Seen::new(&scenario, &draw.roles, &report);
    verdict.judge();
    let mut wrong = std::mem::take(&mut verdict.wrong);
    wrong.extend(world.complaints());
    if world.living() > 0 {
        wrong.push(format!("{} tasks or children outlived the stop", world.living()));
    }
    world.forget_parked();
    if !wrong.is_empty() {
        wrong.push(format!("{scenario:?}\n{report}"));
    }
    wrong
}

#[test]
fn a_thousand_stops_with_faults_end_in_time_in_order_and_accounted_for() {
    silence_injected_panics();
    let first = number("FAULT_FIRST", 0);
    let mut exceptions = 0;
    for seed in first..first + number("FAULT_STOPS", 1_000) {
        let wrong = run(seed);
        if !wrong.is_empty() {
            exceptions += 1;
            if exceptions <= 5 {
                println!("seed {seed}:\n{}\n", wrong.join("\n"));
            }
        }
    }
    assert_eq!(exceptions, 0, "stops that went otherwise than they must");
}
