//! One member does not stop: it is named, the others stop all the same, and the exit code says that something was wrong.

use std::time::Duration;

use axum::http::StatusCode;
use order_service::demo::client::Customer;
use order_service::demo::load::{self, Load, LoadOutcome, Progress};
use order_service::demo::observation;
use order_service::demo::service_process::{Ended, Surroundings};
use order_service::embedded_broker::EmbeddedBroker;
use rdkafka::mocking::MockCluster;

use crate::support::{self, Directory, LONGEST_START, LONGEST_STOP};

#[tokio::test]
async fn a_relay_that_hangs_is_named_and_the_rest_stops() {
    let directory = Directory::new();
    let surroundings = support::surroundings(directory.database_url());
    let mut command = support::command(&surroundings);
    command.env("ORDER_SERVICE_FAULT", "relay-hangs").env("SHUTDOWN_BUDGET", "5s");
    let mut service = support::start(&mut command);
    let addresses = service.ready(LONGEST_START).await.unwrap();
    let customer = Customer::default();
    let outcome = load::order(&customer, &format!("{}/orders", addresses.api), 1).await;
    assert_eq!(outcome.accepted.len(), 1, "{outcome:?}");

    service.terminate().unwrap();
    let ended = service.end(LONGEST_STOP).await.unwrap();
    let text = ended.text();
    assert_eq!(ended.code(), Some(1), "{text}");
    assert!(ended.took.as_secs() < 5, "took {:?}\n{text}", ended.took);
    let named = |line: &&String| {
        line.contains("outbox_relay") && (line.contains("timed out") || line.contains("TimedOut"))
    };
    assert!(ended.log.iter().find(named).is_some(), "{text}");
    assert_eq!(support::out_of_order(&ended.log), None, "{text}");

    // It is the relay alone that was aborted; and what it did not publish is still pending.
    let seen = observation::observe(&surroundings).await.unwrap();
    assert_eq!((seen.orders.len(), seen.outbox.len(), seen.on(&surroundings.topic).count()), (1, 1, 0));
    assert!(!seen.outbox[0].published);
}

#[tokio::test]
async fn probes_answer_while_a_member_hangs() {
    let directory = Directory::new();
    let surroundings = support::surroundings(directory.database_url());
    let mut command = support::command(&surroundings);
    command.env("ORDER_SERVICE_FAULT", "relay-hangs").env("SHUTDOWN_BUDGET", "5s");
    let mut service = support::start(&mut command);
    let addresses = service.ready(LONGEST_START).await.unwrap();
    service.terminate().unwrap();
    tokio::time::sleep(Duration::from_millis(300)).await;
    let customer = Customer::default();
    let scraped = customer.get(&format!("{}/metrics", addresses.probes)).await.unwrap();
    let text = String::from_utf8_lossy(&scraped.body).into_owned();
    let taken = text.lines().find_map(|line| line.strip_prefix("app_shutdown_duration_seconds "));
    assert!(
        taken.and_then(|seconds| seconds.parse().ok()).is_some_and(|seconds: f64| seconds > 0.0),
        "{text}"
    );
    let ready = customer.get(&format!("{}/readyz", addresses.probes)).await.unwrap();
    let live = customer.get(&format!("{}/livez", addresses.probes)).await.unwrap();
    assert_eq!((ready.status, live.status), (StatusCode::SERVICE_UNAVAILABLE, StatusCode::OK));
    assert_eq!(service.end(LONGEST_STOP).await.unwrap().code(), Some(1));
}

/// Load on a service whose broker goes bad under it, and a SIGTERM a moment later.
async fn stopped_without_broker(
    surroundings: &Surroundings,
    go_bad: impl Future<Output = ()>,
) -> (LoadOutcome, Ended) {
    let mut service = support::start(&mut support::command(surroundings));
    let addresses = service.ready(LONGEST_START).await.unwrap();
    let progress = Progress::default();
    let load = Load { orders: 100_000, customers: 2, pause: Duration::from_millis(20) };
    let stop = async {
        // Long enough for the consumer to be at work.
        tokio::time::sleep(Duration::from_secs(5)).await;
        go_bad.await;
        // Long enough for the relay to have a batch on its way.
        tokio::time::sleep(Duration::from_millis(1200)).await;
        service.terminate().unwrap();
        let ended = service.end(LONGEST_STOP).await.unwrap();
        progress.enough();
        ended
    };
    tokio::join!(load::run(&addresses.api, load, &progress), stop)
}

/// Whatever became of the events: the stop went all the way, the customers noticed nothing, and their orders are there.
async fn assert_only_events_suffered(surroundings: &Surroundings, outcome: &LoadOutcome, ended: &Ended) {
    let text = ended.text();
    assert_eq!(ended.code(), Some(1), "{text}");
    assert_eq!(support::out_of_order(&ended.log), None, "{text}");
    for member in ["http_api", "Database", "admin_api"] {
        assert!(reported(&ended.log, member, "Completed"), "{member}: {text}");
    }
    assert_eq!(outcome.failed, Vec::<String>::new(), "{text}");
    let seen = observation::tables(&surroundings.database_url).await.unwrap();
    assert!(outcome.accepted.len() > 50 && seen.outbox.iter().any(|row| !row.published), "{text}");
    for id in &outcome.accepted {
        assert!(seen.orders.iter().any(|order| order.id == id.to_string()), "order {id} is lost: {text}");
    }
}

/// Whether the report's line of `member` says `outcome`.
fn reported(log: &[String], member: &str, outcome: &str) -> bool {
    let mut report = log.iter().skip_while(|line| !line.starts_with("shutdown of OrderService: "));
    report.any(|line| line.trim_start().starts_with(member) && line.contains(outcome))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_broker_that_is_gone_does_not_hold_the_stop() {
    let directory = Directory::new();
    let broker = EmbeddedBroker::start().unwrap();
    let mut surroundings = support::surroundings(directory.database_url());
    broker.bootstrap_servers().clone_into(&mut surroundings.brokers);
    let go = async { tokio::task::spawn_blocking(move || drop(broker)).await.unwrap() };
    let (outcome, ended) = stopped_without_broker(&surroundings, go).await;
    assert_only_events_suffered(&surroundings, &outcome, &ended).await;
    assert!(reported(&ended.log, "outbox_relay", "Failed"), "{}", ended.text());
    assert!(ended.took < Duration::from_secs(15), "{:?}: {}", ended.took, ended.text());
}

#[tokio::test]
async fn a_broker_that_does_not_answer_does_not_hold_the_stop() {
    let directory = Directory::new();
    let cluster = MockCluster::new(1).unwrap();
    let mut surroundings = support::surroundings(directory.database_url());
    surroundings.brokers = cluster.bootstrap_servers();
    let go = async { cluster.broker_round_trip_time(1, Duration::from_mins(5)).unwrap() };
    let (outcome, ended) = stopped_without_broker(&surroundings, go).await;
    assert_only_events_suffered(&surroundings, &outcome, &ended).await;
}
