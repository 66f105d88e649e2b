//! The main promise when something else goes wrong at the same time: a service under load meets a fault at a random moment, is
//! stopped at another one just before or after it, and is started again when the fault is over. Nothing is lost or done twice.
//!
//! `FAULT_RUNS=2` says how many runs each fault has, `FAULT_SEED_START=1` where their seeds begin. They need the independent
//! broker: the one in the process of the tests loses its own head when a group's members go and come back.

use std::time::{Duration, Instant};

use futures_util::FutureExt;
use order_service::demo::load::{self, LoadOutcome, Progress};
use order_service::demo::observation::{self, Observation};
use order_service::demo::service_process::{Ended, ServiceProcess, Surroundings};
use order_service::demo::{audit, catalogue};
use tokio::process::Command;

use crate::conditions::{self, Conditions};
use crate::databases::Databases;
use crate::fault::{Fault, Faulty};
use crate::independent_broker::IndependentBroker;
use crate::support::{self, Chance, LONGEST_START, LONGEST_STOP};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stop_with_a_slow_database_loses_nothing() {
    runs(Fault::SlowDatabase).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stop_without_a_broker_loses_nothing() {
    runs(Fault::DeadBroker).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stop_with_a_stuck_handler_loses_nothing() {
    runs(Fault::StuckHandler).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stop_whose_connections_are_killed_loses_nothing() {
    runs(Fault::KilledConnections).await;
}

async fn runs(fault: Fault) {
    if !IndependentBroker::is_at_hand() {
        println!("NOT RUN: INDEPENDENT_BROKER names no binary; `scripts/fetch-broker` fetches one");
        return;
    }
    let Some(databases) = Databases::on_postgres() else { return };
    let (first, runs) = (support::number("FAULT_SEED_START", 1), support::number("FAULT_RUNS", 2));
    assert!(runs > 0, "FAULT_RUNS=0 tests nothing");
    let mut failures = Vec::new();
    for seed in first..first + runs {
        let problems = run(&databases, fault, seed).await;
        if !problems.is_empty() {
            failures.push(format!("seed {seed}:\n{}", problems.join("\n")));
        }
    }
    assert!(failures.is_empty(), "{fault:?}: {} of {runs} failed\n{}", failures.len(), failures.join("\n\n"));
    println!("{fault:?}: {runs} stops, nothing lost, nothing done twice");
}

/// When what happens, from when both consumers are at work.
struct Moments {
    fault: Duration,
    stop: Duration,
}

impl Moments {
    /// The stop comes up to three seconds after the fault, or just before it.
    fn drawn(chance: &mut Chance) -> Self {
        let fault = conditions::milliseconds(chance, 300, 4000);
        let stop =
            (fault + conditions::milliseconds(chance, 0, 3000)).saturating_sub(Duration::from_millis(300));
        Self { fault, stop }
    }
}

/// One run; what was wrong.
async fn run(databases: &Databases, fault: Fault, seed: u64) -> Vec<String> {
    let mut chance = Chance::seeded(seed);
    let (moments, conditions) = (Moments::drawn(&mut chance), Conditions::drawn(&mut chance));
    let database = databases.create().await;
    let mut faulty = Faulty::around(fault, &database, &mut chance).await;
    let mut command = support::command(&faulty.surroundings);
    conditions.set(&mut command);
    faulty.set(&mut command);
    let (outcome, ended) = stopped_with_fault(&mut command, &mut faulty, &conditions, &moments).await;
    faulty.end();

    let direct = Surroundings { database_url: database.url().to_owned(), ..faulty.surroundings.clone() };
    let between = observation::observe(&direct).await.unwrap();
    let mut problems = judge(&direct, &outcome, &between, &ended, fault.excuses());
    problems.extend(support::out_of_order(&ended.log));
    problems.extend(faulty.problems(&ended).await);
    let at_last = stopped_when_finished(&direct, &between, &conditions).await;
    match at_last {
        Ok(last) => {
            let finished = observation::observe(&direct).await.unwrap();
            problems.extend(judge(&direct, &outcome, &finished, &last, fault.excuses_at_the_end()));
            problems.extend(last.log.iter().filter(|line| line.contains(" ERROR ")).cloned());
            problems.extend((last.code() != Some(0)).then(|| format!("the second stop: {}", last.status)));
        }
        Err(unfinished) => problems.push(unfinished),
    }
    println!(
        "{fault:?}, seed {seed}: fault after {:.2?}, SIGTERM after {:.2?}, {} accepted, {} in doubt, {} pending, {}, over in {:.1?}",
        moments.fault,
        moments.stop,
        outcome.accepted.len(),
        outcome.in_doubt,
        between.outbox.iter().filter(|row| !row.published).count(),
        ended.status,
        ended.took
    );
    if !problems.is_empty() {
        problems.push(ended.text());
    }
    database.remove().await;
    problems
}

/// The load, the fault and the stop.
async fn stopped_with_fault(
    command: &mut Command,
    faulty: &mut Faulty<'_>,
    conditions: &Conditions,
    moments: &Moments,
) -> (LoadOutcome, Ended) {
    let mut service = support::start(command);
    let addresses = service.ready(LONGEST_START).await.unwrap();
    let progress = Progress::default();
    let surroundings = faulty.surroundings.clone();
    // Not before: the independent broker never lets go of a member that leaves while it joins.
    let working = support::until_consuming(&surroundings.database_url).shared();
    let begin = async {
        working.clone().await;
        tokio::time::sleep(moments.fault).await;
        faulty.begin(&addresses.api).await;
    };
    let stop = async {
        working.clone().await;
        tokio::time::sleep(moments.stop).await;
        // A fault may have ended it already: then this is a second reason.
        let _ = service.terminate();
        let ended = service.end(LONGEST_STOP).await.unwrap();
        progress.enough();
        ended
    };
    let (mut outcome, changes, (), ended) = tokio::join!(
        load::run(&addresses.api, conditions.load, &progress),
        catalogue::run(&surroundings, conditions.between_changes, &progress),
        begin,
        stop
    );
    assert!(changes.is_ok() || faulty.fault == Fault::DeadBroker, "{changes:?}");
    if faulty.fault == Fault::KilledConnections {
        // "Try again later" promises nothing: the transaction may or may not have been committed when its connection broke.
        let (unavailable, failed) = outcome.failed.into_iter().partition(|answer| answer.starts_with("503"));
        let unavailable: Vec<String> = unavailable;
        outcome.in_doubt += u32::try_from(unavailable.len()).unwrap();
        outcome.failed = failed;
    }
    (outcome, ended)
}

fn judge(
    surroundings: &Surroundings,
    outcome: &LoadOutcome,
    seen: &Observation,
    ended: &Ended,
    excuses: &[&str],
) -> Vec<String> {
    audit::judge(surroundings, outcome, seen, &ended.log)
        .iter()
        .filter(|finding| !finding.holds() && !excuses.contains(&finding.promise))
        .map(ToString::to_string)
        .collect()
}

/// The next start works off whatever was left; stopped when that is done.
async fn stopped_when_finished(
    surroundings: &Surroundings,
    left: &Observation,
    conditions: &Conditions,
) -> Result<Ended, String> {
    let mut command = support::command(surroundings);
    conditions.set(&mut command);
    command.env("ORDER_SERVICE_RELAY_INTERVAL", "20ms").env("ORDER_SERVICE_SETTLE_INTERVAL", "20ms");
    let mut service: ServiceProcess = support::start(&mut command);
    service.ready(LONGEST_START).await.unwrap();
    let changes = left.on(&surroundings.product_topic()).count();
    let deadline = Instant::now() + Duration::from_mins(1);
    loop {
        let seen = observation::tables(&surroundings.database_url).await.unwrap();
        if seen.is_finished(changes) {
            break;
        }
        if Instant::now() > deadline {
            service.terminate().unwrap();
            let log = service.end(LONGEST_STOP).await.unwrap().text();
            return Err(format!("the next start does not finish {changes} changes: {}\n{log}", seen.tally()));
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    service.terminate().unwrap();
    Ok(service.end(LONGEST_STOP).await.unwrap())
}
