//! The main promise: the service is stopped at any moment under load, and nothing is lost or done twice.
//!
//! `KILL_RUNS=50` says how many runs, `KILL_SEED_START=1` where their seeds begin: a set of runs can be split over machines,
//! taken up again, and one of them repeated. `KILL_DATABASE=postgres` has them on `PostgreSQL`; `brokers.rs` says
//! which broker they have.

use std::sync::Arc;
use std::time::{Duration, Instant};

use order_service::demo::load::{self, LoadOutcome, Progress};
use order_service::demo::observation::{self, Observation};
use order_service::demo::service_process::Ended;
use order_service::demo::{audit, catalogue};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use crate::brokers::Brokers;
use crate::conditions::{self, Conditions};
use crate::databases::Databases;
use crate::support::{self, Chance, LONGEST_START, LONGEST_STOP, WITHOUT_PRE_STOP};

/// Runs at the same time: most of a run is waiting for the consumer to join its group.
const AT_A_TIME: usize = 4;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stops_at_random_moments_lose_nothing() {
    let (first, runs) = (support::number("KILL_SEED_START", 1), support::number("KILL_RUNS", 50));
    assert!(runs > 0, "KILL_RUNS=0 tests nothing");
    let places = Arc::new(Semaphore::new(AT_A_TIME));
    let (databases, brokers) =
        (Arc::new(Databases::of_the_environment()), Arc::new(Brokers::of_the_environment()));
    let begun = Instant::now();
    let mut tasks = JoinSet::new();
    for seed in first..first + runs {
        let (places, databases, brokers) =
            (Arc::clone(&places), Arc::clone(&databases), Arc::clone(&brokers));
        tasks.spawn(async move {
            let _place = places.acquire_owned().await.unwrap();
            (seed, run(&databases, &brokers, seed).await)
        });
    }

    let (mut failures, mut totals, mut done) = (Vec::new(), Totals::default(), 0);
    while let Some(joined) = tasks.join_next().await {
        let (seed, run) = joined.unwrap();
        done += 1;
        println!(
            "seed {seed}: SIGTERM after {:.2?}, {} accepted, {} on the topic, {} committed, over in {:.0?}, {} problems \
             ({done} of {runs}, {:.0?})",
            run.moment,
            run.outcome.accepted.len(),
            run.left_behind.records.len(),
            run.left_behind.committed.values().sum::<i64>(),
            run.ended.took,
            run.problems.len(),
            begun.elapsed()
        );
        totals.add(&run);
        if !run.problems.is_empty() {
            let problems = run.problems.join("\n");
            failures.push(format!(
                "seed {seed} (repeat with KILL_SEED_START={seed} KILL_RUNS=1):\n{problems}\n{}",
                run.ended.text()
            ));
        }
    }
    println!("{runs} runs in {:.0?}: {totals:?}", begun.elapsed());
    assert!(failures.is_empty(), "{} of {runs} runs failed\n{}", failures.len(), failures.join("\n\n"));
    // A test that never met a service at work would prove nothing.
    if runs >= 20 {
        assert!(totals.accepted > 100 && totals.published > 100 && totals.shipped > 100, "{totals:?}");
        assert!(totals.paid > 100 && totals.changes > 100 && totals.pending > 0, "{totals:?}");
    }
}

#[derive(Debug, Default)]
struct Totals {
    accepted: usize,
    published: usize,
    pending: usize,
    shipped: usize,
    paid: usize,
    changes: usize,
    in_doubt: u32,
}

impl Totals {
    fn add(&mut self, run: &Run) {
        let published = run.left_behind.outbox.iter().filter(|row| row.published).count();
        self.accepted += run.outcome.accepted.len();
        self.published += published;
        self.pending += run.left_behind.outbox.len() - published;
        self.shipped += run.left_behind.shipped.len();
        self.paid += run.left_behind.payments.values().filter(|settled| **settled).count();
        self.changes += run.left_behind.processed.len() - run.left_behind.shipped.len();
        self.in_doubt += run.outcome.in_doubt;
    }
}

struct Run {
    moment: Duration,
    outcome: LoadOutcome,
    left_behind: Observation,
    ended: Ended,
    problems: Vec<String>,
}

async fn run(databases: &Databases, brokers: &Brokers, seed: u64) -> Run {
    let mut chance = Chance::seeded(seed);
    let moment = conditions::milliseconds(&mut chance, 20, 7000);
    let conditions = Conditions::drawn(&mut chance);

    let database = databases.create().await;
    let surroundings = support::surroundings_at(brokers.address(), database.url().to_owned());
    let mut command = support::command(&surroundings);
    conditions.set(&mut command);
    let mut service = support::start(&mut command);
    let addresses = service.ready(LONGEST_START).await.unwrap();

    let progress = Progress::default();
    let stop = async {
        tokio::time::sleep(moment).await;
        service.terminate().unwrap();
        let ended = service.end(LONGEST_STOP).await.unwrap();
        // The customers have been at it until there was nobody left to ask.
        progress.enough();
        ended
    };
    let (outcome, changes, ended) = tokio::join!(
        load::run(&addresses.api, conditions.load, &progress),
        catalogue::run(&surroundings, conditions.between_changes, &progress),
        stop
    );
    changes.unwrap();

    let left_behind = observation::observe(&surroundings).await.unwrap();
    let mut problems: Vec<String> = audit::judge(&surroundings, &outcome, &left_behind, &ended.log)
        .iter()
        .filter(|finding| !finding.holds())
        .map(ToString::to_string)
        .collect();
    if ended.code() != Some(0) {
        problems.push(format!("ended with {}", ended.status));
    }
    if ended.took > WITHOUT_PRE_STOP {
        problems.push(format!("took {:?}", ended.took));
    }
    problems.extend(support::out_of_order(&ended.log));
    problems.extend(ended.log.iter().filter(|line| line.contains(" ERROR ")).cloned());
    database.remove().await;
    Run { moment, outcome, left_behind, ended, problems }
}
