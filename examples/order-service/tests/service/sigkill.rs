//! What survives even SIGKILL: the service is killed at a random moment under load, started again, and finishes what was begun,
//! without losing or repeating an effect.
//!
//! `SIGKILL_RUNS=5` says how many runs, `SIGKILL_SEED_START=1` where their seeds begin; `KILL_DATABASE=postgres` as for SIGTERM.
//! Each seed is told of when it is done, so that a range can be resumed behind it.

use std::time::{Duration, Instant};

use order_service::demo::load::{self, Load, Progress};
use order_service::demo::observation;
use order_service::demo::{audit, catalogue};

use crate::brokers::Brokers;
use crate::databases::Databases;
use crate::support::{self, Chance, LONGEST_START, LONGEST_STOP};

/// An event that was published and not marked before the kill is published again; nothing else may happen twice.
const MAY_BREAK: &str = "no event was published twice";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_kill_at_any_moment_loses_and_repeats_nothing() {
    let (databases, brokers) = (Databases::of_the_environment(), Brokers::of_the_environment());
    let (first, runs) = (support::number("SIGKILL_SEED_START", 1), support::number("SIGKILL_RUNS", 5));
    let mut again = 0;
    for seed in first..first + runs {
        let of_this = run(&databases, &brokers, seed).await;
        println!("seed {seed}: {of_this} again");
        again += of_this;
    }
    println!("{runs} kills: {again} events were published again, none was lost, none applied twice");
}

/// How many events were published more than once.
async fn run(databases: &Databases, brokers: &Brokers, seed: u64) -> usize {
    let mut chance = Chance::seeded(seed);
    let database = databases.create().await;
    let surroundings = support::surroundings_at(brokers.address(), database.url().to_owned());
    let mut command = support::command(&surroundings);
    command.env("ORDER_SERVICE_RELAY_INTERVAL", "20ms").env("ORDER_SERVICE_SETTLE_INTERVAL", "20ms");
    let mut service = support::start(&mut command);
    let addresses = service.ready(LONGEST_START).await.unwrap();
    let progress = Progress::default();
    let load = Load { orders: 100_000, customers: 4, pause: Duration::from_millis(chance.between(1, 30)) };
    let moment = Duration::from_millis(chance.between(20, 6000));
    let kill = async {
        tokio::time::sleep(moment).await;
        service.kill().unwrap();
        let ended = service.end(LONGEST_STOP).await.unwrap();
        progress.enough();
        ended
    };
    let (outcome, changes, killed) = tokio::join!(
        load::run(&addresses.api, load, &progress),
        catalogue::run(&surroundings, Duration::from_millis(30), &progress),
        kill
    );
    assert_eq!(killed.code(), None, "seed {seed}: {}", killed.status);
    let changes = changes.unwrap();

    let mut service = support::start(&mut command);
    service.ready(LONGEST_START).await.unwrap();
    let deadline = Instant::now() + Duration::from_mins(1);
    loop {
        let found = observation::tables(&surroundings.database_url).await.unwrap();
        if found.is_finished(changes) {
            break;
        }
        assert!(Instant::now() < deadline, "seed {seed}: not finished: {}", found.tally());
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    service.terminate().unwrap();
    let ended = service.end(LONGEST_STOP).await.unwrap();
    assert_eq!(ended.code(), Some(0), "seed {seed}: {}", ended.text());
    let left_behind = observation::observe(&surroundings).await.unwrap();
    for finding in audit::judge(&surroundings, &outcome, &left_behind, &ended.log) {
        let excused = finding.promise == MAY_BREAK;
        assert!(
            finding.holds() || excused,
            "seed {seed}, killed after {moment:?}: {finding}\n{}",
            ended.text()
        );
    }
    assert!(left_behind.is_finished(changes), "seed {seed}: {}", left_behind.tally());
    let published =
        left_behind.on(&surroundings.topic).count() + left_behind.on(&surroundings.catalog_topic()).count();
    database.remove().await;
    published - left_behind.outbox.len()
}
