//! Rolling replacement: two and three replicas on one `PostgreSQL` and one topic, replaced one after the other under load, as a
//! Deployment does: the new one is ready first; then the old one leaves the balancer's list, which takes the balancer a moment to
//! notice, has its `preStop` pause, and gets its SIGTERM.
//!
//! `HANDOVERS=4` says how many times; `brokers.rs` says which broker they have.

use std::time::{Duration, Instant};

use order_service::demo::audit;
use order_service::demo::load::LoadOutcome;
use order_service::demo::observation::{self, Observation};
use order_service::demo::service_process::{Addresses, Ended, ServiceProcess, Surroundings};
use tokio::task::JoinSet;

use crate::balancer::{self, Balancer};
use crate::brokers::Brokers;
use crate::databases::Databases;
use crate::support::{self, LONGEST_START, LONGEST_STOP};

/// How long the balancer sends requests to a replica that has left its list.
const LAG: Duration = Duration::from_millis(200);
/// What `preStop` waits: longer than the lag, which is what it is for (R-SHUT-HTTP-2).
const PRE_STOP: Duration = Duration::from_millis(400);
/// What a Deployment calls `minReadySeconds`.
const MIN_READY: Duration = Duration::from_millis(500);
const LONGEST_STANDSTILL: Duration = Duration::from_secs(20);
const CUSTOMERS: u32 = 4;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_replicas_are_replaced_under_load_and_no_customer_notices() {
    replace(2).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn three_replicas_are_replaced_under_load_and_no_customer_notices() {
    replace(3).await;
}

async fn replace(size: usize) {
    let Some(databases) = Databases::on_postgres() else { return };
    let (database, brokers) = (databases.create().await, Brokers::of_the_environment());
    let surroundings = support::surroundings_at(brokers.address(), database.url().to_owned());
    for topic in [&surroundings.topic, &surroundings.product_topic(), &surroundings.catalog_topic()] {
        brokers.create_topic(topic).await;
    }
    let balancer = Balancer::default();
    let mut replicas = Vec::new();
    for _ in 0..size {
        replicas.push(replica(&surroundings, &balancer).await);
    }
    let mut customers = JoinSet::new();
    for customer in 0..CUSTOMERS {
        customers.spawn(balancer::order_repeatedly(balancer.clone(), customer));
    }
    let handovers = support::number("HANDOVERS", 4);
    let mut log = Vec::new();
    for handover in 1..=handovers {
        let new = replica(&surroundings, &balancer).await;
        if brokers.waits_for_who_left_while_joining() {
            until_settled(&new.1).await;
        }
        tokio::time::sleep(MIN_READY).await;
        replicas.push(new);
        let ended = take_out(replicas.remove(0), &balancer).await;
        assert_eq!(support::out_of_order(&ended.log), None, "hand-over {handover}: {}", ended.text());
        println!("hand-over {handover} of {handovers}, {size} replicas: over in {:.0?}", ended.took);
        log.extend(ended.log);
    }
    balancer.close();
    let mut outcome = LoadOutcome::default();
    while let Some(part) = customers.join_next().await {
        outcome.add(part.unwrap());
    }
    until_worked_off(&surroundings).await;
    for (last, _) in replicas {
        log.extend(end(last).await.log);
    }
    let seen = observation::observe(&surroundings).await.unwrap();
    for finding in audit::judge(&surroundings, &outcome, &seen, &log) {
        assert!(finding.holds(), "{finding}\n{}", log.join("\n"));
    }
    assert!(outcome.accepted.len() > 100, "{}", outcome.accepted.len());
    println!(
        "{handovers} hand-overs of {size} replicas under {} orders: no customer noticed",
        outcome.accepted.len()
    );
    database.remove().await;
}

async fn replica(surroundings: &Surroundings, balancer: &Balancer) -> (ServiceProcess, Addresses) {
    let mut command = support::command(surroundings);
    command.env("ORDER_SERVICE_RELAY_INTERVAL", "50ms");
    let mut service = support::start(&mut command);
    let addresses = service.ready(LONGEST_START).await.unwrap();
    balancer.add(&addresses);
    (service, addresses)
}

/// The new replica has its share of the topic, so the others have given theirs.
async fn until_settled(new: &Addresses) {
    let deadline = Instant::now() + LONGEST_START;
    while support::deliveries(new).await == 0 {
        assert!(Instant::now() < deadline, "the new replica was given nothing");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// As a Deployment takes a replica out of service.
async fn take_out((old, addresses): (ServiceProcess, Addresses), balancer: &Balancer) -> Ended {
    let leaves = async {
        tokio::time::sleep(LAG).await;
        balancer.remove(&addresses);
    };
    tokio::join!(leaves, tokio::time::sleep(PRE_STOP));
    end(old).await
}

async fn end(replica: ServiceProcess) -> Ended {
    replica.terminate().unwrap();
    let ended = replica.end(LONGEST_STOP).await.unwrap();
    assert_eq!(ended.code(), Some(0), "{}", ended.text());
    ended
}

/// What the last replicas have is worked off: nothing is stuck behind one that has gone. A long backlog takes its time, but it
/// never stands still for longer than a session and a rebalance take.
async fn until_worked_off(surroundings: &Surroundings) {
    let (mut last, mut moved) = (String::new(), Instant::now());
    loop {
        let seen = observation::tables(&surroundings.database_url).await.unwrap();
        if is_worked_off(&seen) {
            return;
        }
        let tally = seen.tally();
        if tally != last {
            (last, moved) = (tally, Instant::now());
        }
        assert!(moved.elapsed() < LONGEST_STANDSTILL, "stuck: {last}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

fn is_worked_off(seen: &Observation) -> bool {
    let published = seen.outbox.iter().filter(|row| row.published).count();
    let settled = seen.payments.values().filter(|settled| **settled).count();
    [published, settled, seen.shipped.len()] == [seen.orders.len(); 3]
}
