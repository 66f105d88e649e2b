//! What customers and operators ask: an order repeated under its key, long work, a payment, the metrics.

use std::time::{Duration, Instant};

use axum::http::StatusCode;
use order_service::demo::client::Customer;
use order_service::demo::observation;
use order_service::demo::service_process::{Addresses, ServiceProcess, Surroundings};
use serde_json::Value;

use crate::support::{self, Directory, LONGEST_START, LONGEST_STOP};

struct Running {
    service: ServiceProcess,
    addresses: Addresses,
    surroundings: Surroundings,
    _directory: Directory,
}

async fn running() -> Running {
    let directory = Directory::new();
    let surroundings = support::surroundings(directory.database_url());
    let mut service = support::start(&mut support::command(&surroundings));
    let addresses = service.ready(LONGEST_START).await.unwrap();
    Running { service, addresses, surroundings, _directory: directory }
}

impl Running {
    async fn stop(self) -> observation::Observation {
        self.service.terminate().unwrap();
        let ended = self.service.end(LONGEST_STOP).await.unwrap();
        assert_eq!(ended.code(), Some(0), "{}", ended.text());
        observation::tables(&self.surroundings.database_url).await.unwrap()
    }
}

fn json(body: &[u8]) -> Value {
    serde_json::from_slice(body).unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(body)))
}

/// Asks until the answer is as it should be.
async fn wait_for(url: &str, is_right: impl Fn(&Value) -> bool) -> Value {
    let (customer, deadline) = (Customer::default(), Instant::now() + LONGEST_START);
    loop {
        let answer = json(&customer.get(url).await.unwrap().body);
        if is_right(&answer) {
            return answer;
        }
        assert!(Instant::now() < deadline, "{url} stays {answer}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

const BODY: &str = r#"{"customer":"Ada","amount_cents":5}"#;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_order_that_is_repeated_under_its_key_is_one_order() {
    let running = running().await;
    let url = format!("{}/orders", running.addresses.api);
    let ask = async |key: String, body: &'static str| {
        let answer = Customer::default().post_with_key(&url, &key, body).await.unwrap();
        (answer.status, json(&answer.body))
    };
    let at_once = (0..8).map(|_| ask("one".to_owned(), BODY));
    let answers = futures_util::future::join_all(at_once).await;
    let (_, first) = &answers[0];
    for (status, order) in &answers {
        assert_eq!((*status, &order["id"]), (StatusCode::CREATED, &first["id"]));
    }
    // Also once it is paid; what it says then is how the order is now.
    let order = format!("{url}/{}", first["id"].as_str().unwrap());
    wait_for(&order, |order| order["paid"] == true).await;
    let (status, again) = ask("one".to_owned(), BODY).await;
    assert_eq!(
        (status, &again["id"], &again["paid"]),
        (StatusCode::CREATED, &first["id"], &Value::Bool(true))
    );

    let (status, error) = ask("one".to_owned(), r#"{"customer":"Ada","amount_cents":6}"#).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(error["error"].as_str().unwrap().contains("another order"), "{error}");
    for key in [String::new(), "k".repeat(101), "\u{e4}".to_owned()] {
        let (status, error) = ask(key, BODY).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{error}");
    }
    let left_behind = running.stop().await;
    assert_eq!((left_behind.orders.len(), left_behind.outbox.len()), (1, 1));
    assert_eq!(left_behind.booked.values().copied().collect::<Vec<_>>(), [(2, 0)]);
}

#[tokio::test]
async fn long_work_is_answered_with_202_and_found_finished_later() {
    let running = running().await;
    let (api, customer) = (running.addresses.api.clone(), Customer::default());
    for amount in [3, 4] {
        let body = format!(r#"{{"customer":"Ada","amount_cents":{amount}}}"#);
        customer.post(&format!("{api}/orders"), body).await.unwrap();
    }
    customer.post(&format!("{api}/orders"), r#"{"customer":"Bob","amount_cents":100}"#).await.unwrap();
    let asked = customer.post(&format!("{api}/exports"), r#"{"customer":"Ada"}"#).await.unwrap();
    assert_eq!(asked.status, StatusCode::ACCEPTED);
    let export = json(&asked.body);
    let url = format!("{api}/exports/{}", export["id"].as_str().unwrap());
    let export = wait_for(&url, |export| export["finished"] == true).await;
    assert_eq!((&export["orders"], &export["amount_cents"]), (&2.into(), &7.into()));
    let nothing = format!("{api}/exports/{}", uuid::Uuid::new_v4());
    assert_eq!(customer.get(&nothing).await.unwrap().status, StatusCode::NOT_FOUND);
    running.stop().await;
}

#[tokio::test]
async fn long_work_that_a_stop_leaves_is_finished_by_the_next_start() {
    let running = running().await;
    let (api, customer) = (running.addresses.api.clone(), Customer::default());
    customer.post(&format!("{api}/orders"), r#"{"customer":"Ada","amount_cents":3}"#).await.unwrap();
    let mut exports = Vec::new();
    for _ in 0..12 {
        let asked = customer.post(&format!("{api}/exports"), r#"{"customer":"Ada"}"#).await.unwrap();
        assert_eq!(asked.status, StatusCode::ACCEPTED);
        exports.push(json(&asked.body)["id"].as_str().unwrap().to_owned());
    }
    // One is worked off every 250 ms.
    running.service.terminate().unwrap();
    let ended = running.service.end(LONGEST_STOP).await.unwrap();
    assert_eq!(ended.code(), Some(0), "{}", ended.text());
    assert!(
        ended.took < Duration::from_secs(5),
        "a stop waits for a page, not for an export: {:?}",
        ended.took
    );

    let mut service = support::start(&mut support::command(&running.surroundings));
    let api = service.ready(LONGEST_START).await.unwrap().api;
    let last = json(&customer.get(&format!("{api}/exports/{}", exports[11])).await.unwrap().body);
    assert_eq!(last["finished"], false, "the stop came too late to leave anything");
    for id in exports {
        let export = wait_for(&format!("{api}/exports/{id}"), |export| export["finished"] == true).await;
        assert_eq!((&export["orders"], &export["amount_cents"]), (&1.into(), &3.into()));
    }
    service.terminate().unwrap();
    assert_eq!(service.end(LONGEST_STOP).await.unwrap().code(), Some(0));
}

#[tokio::test]
async fn what_is_counted_can_be_scraped_until_the_end() {
    let running = running().await;
    let customer = Customer::default();
    let orders = format!("{}/orders", running.addresses.api);
    customer.post(&orders, r#"{"customer":"Ada","amount_cents":5}"#).await.unwrap();
    let url = format!("{}/metrics", running.addresses.probes);
    let scraped = customer.get(&url).await.unwrap();
    let text = String::from_utf8_lossy(&scraped.body).into_owned();
    assert!(text.contains("orders_placed_total 1"), "{text}");
    assert!(text.contains("app_shutdown_duration_seconds 0"), "{text}");
    running.stop().await;
}
