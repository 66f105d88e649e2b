//! Rolling replacement: two replicas on one `PostgreSQL` and one topic, replaced one after the other under load, as a Deployment
//! does: the new one is ready first; then the old one leaves the balancer's list, which takes the balancer a moment to notice, has
//! its `preStop` pause, and gets its SIGTERM.
//!
//! `HANDOVERS=4` says how many times.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, RwLock};
use std::time::Duration;

use axum::http::StatusCode;
use order_service::demo::client::Customer;
use order_service::demo::load::LoadOutcome;
use order_service::demo::service_process::{Addresses, ServiceProcess, Surroundings};
use order_service::demo::{audit, observation};
use tokio::task::JoinSet;
use uuid::Uuid;

use crate::databases::Databases;
use crate::postgres_server::PostgresServer;
use crate::support::{self, LONGEST_START, LONGEST_STOP};

/// How long the balancer sends requests to a replica that has left its list.
const LAG: Duration = Duration::from_millis(200);
/// What `preStop` waits: longer than the lag, which is what it is for (R-SHUT-HTTP-2).
const PRE_STOP: Duration = Duration::from_millis(400);
const CUSTOMERS: u32 = 4;

/// The replicas that requests are sent to.
#[derive(Debug, Clone, Default)]
struct Balancer {
    replicas: Arc<RwLock<Vec<String>>>,
    turn: Arc<AtomicUsize>,
    is_over: Arc<AtomicBool>,
}

impl Balancer {
    fn next(&self) -> String {
        let replicas = self.replicas.read().unwrap();
        replicas[self.turn.fetch_add(1, Ordering::Relaxed) % replicas.len()].clone()
    }

    fn add(&self, addresses: &Addresses) {
        self.replicas.write().unwrap().push(addresses.api.clone());
    }

    fn remove(&self, addresses: &Addresses) {
        self.replicas.write().unwrap().retain(|replica| *replica != addresses.api);
    }
}

/// Places order after order. Whatever is not answered is repeated under its key, elsewhere.
async fn order_repeatedly(balancer: Balancer, customer: u32) -> LoadOutcome {
    let (mut outcome, mut number) = (LoadOutcome::default(), 0);
    let connections = Customer::default();
    while !balancer.is_over.load(Ordering::Relaxed) {
        number += 1;
        let key = Uuid::new_v4().to_string();
        let body = format!(r#"{{"customer":"{customer} {number} {key}","amount_cents":{number}}}"#);
        loop {
            let url = format!("{}/orders", balancer.next());
            match connections.post_with_key(&url, &key, body.clone()).await {
                Ok(answer) if answer.status == StatusCode::CREATED => {
                    let order: serde_json::Value = serde_json::from_slice(&answer.body).unwrap();
                    outcome.accepted.push(order["id"].as_str().unwrap().parse().unwrap());
                    break;
                }
                Ok(answer) => outcome.failed.push(format!("{}", answer.status)),
                Err(error) => outcome.failed.push(error.to_string()),
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        tokio::time::sleep(Duration::from_millis(15)).await;
    }
    outcome
}

async fn replica(surroundings: &Surroundings, balancer: &Balancer) -> (ServiceProcess, Addresses) {
    let mut command = support::command(surroundings);
    command.env("ORDER_SERVICE_RELAY_INTERVAL", "50ms");
    let mut service = support::start(&mut command);
    let addresses = service.ready(LONGEST_START).await.unwrap();
    balancer.add(&addresses);
    (service, addresses)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn replicas_are_replaced_under_load_and_no_customer_notices() {
    let Some(server) = PostgresServer::start() else {
        assert!(std::env::var_os("CI").is_none(), "no PostgreSQL binaries, on CI");
        println!("SKIPPED: no PostgreSQL: install the package `postgresql`");
        return;
    };
    let databases = Databases::Server(server);
    let database = databases.create().await;
    let surroundings = support::surroundings(database.url().to_owned());
    let balancer = Balancer::default();
    let mut replicas = vec![replica(&surroundings, &balancer).await, replica(&surroundings, &balancer).await];
    let mut customers = JoinSet::new();
    for customer in 0..CUSTOMERS {
        customers.spawn(order_repeatedly(balancer.clone(), customer));
    }
    let handovers = support::number("HANDOVERS", 4);
    let mut log = Vec::new();
    for handover in 0..handovers {
        replicas.push(replica(&surroundings, &balancer).await);
        tokio::time::sleep(Duration::from_millis(500)).await;
        let (old, addresses) = replicas.remove(0);
        let leaves = async {
            tokio::time::sleep(LAG).await;
            balancer.remove(&addresses);
        };
        tokio::join!(leaves, tokio::time::sleep(PRE_STOP));
        old.terminate().unwrap();
        let ended = old.end(LONGEST_STOP).await.unwrap();
        assert_eq!(ended.code(), Some(0), "hand-over {handover}: {}", ended.text());
        assert_eq!(support::out_of_order(&ended.log), None, "{}", ended.text());
        log.extend(ended.log);
    }
    balancer.is_over.store(true, Ordering::Relaxed);
    let mut outcome = LoadOutcome::default();
    while let Some(part) = customers.join_next().await {
        outcome.add(part.unwrap());
    }
    // What the last replicas have is worked off: nothing is stuck behind one that has gone.
    let deadline = std::time::Instant::now() + Duration::from_mins(1);
    loop {
        let seen = observation::tables(&surroundings.database_url).await.unwrap();
        let published = seen.outbox.iter().filter(|row| row.published).count();
        let settled = seen.payments.values().filter(|settled| **settled).count();
        if [published, settled, seen.shipped.len()] == [seen.orders.len(); 3] {
            break;
        }
        assert!(
            std::time::Instant::now() < deadline,
            "{} orders, {published} published, {settled} settled, {} shipped",
            seen.orders.len(),
            seen.shipped.len()
        );
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    for (last, _) in replicas {
        last.terminate().unwrap();
        let ended = last.end(LONGEST_STOP).await.unwrap();
        assert_eq!(ended.code(), Some(0), "{}", ended.text());
        log.extend(ended.log);
    }
    let seen = observation::observe(&surroundings).await.unwrap();
    for finding in audit::judge(&surroundings, &outcome, &seen, &log) {
        assert!(finding.holds(), "{finding}\n{}", log.join("\n"));
    }
    assert!(outcome.accepted.len() > 100, "{}", outcome.accepted.len());
    println!("{handovers} hand-overs under {} orders: no customer noticed", outcome.accepted.len());
    database.remove().await;
}
