//! A balancer in front of several replicas, and customers who order through it.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, RwLock};
use std::time::Duration;

use axum::http::StatusCode;
use order_service::demo::client::Customer;
use order_service::demo::load::LoadOutcome;
use order_service::demo::service_process::Addresses;
use uuid::Uuid;

/// The replicas that requests are sent to.
#[derive(Debug, Clone, Default)]
pub(crate) struct Balancer {
    replicas: Arc<RwLock<Vec<String>>>,
    turn: Arc<AtomicUsize>,
    is_over: Arc<AtomicBool>,
}

impl Balancer {
    fn next(&self) -> String {
        let replicas = self.replicas.read().unwrap();
        replicas[self.turn.fetch_add(1, Ordering::Relaxed) % replicas.len()].clone()
    }

    pub(crate) fn add(&self, addresses: &Addresses) {
        self.replicas.write().unwrap().push(addresses.api.clone());
    }

    pub(crate) fn remove(&self, addresses: &Addresses) {
        self.replicas.write().unwrap().retain(|replica| *replica != addresses.api);
    }

    /// Lets the customers finish what they are at.
    pub(crate) fn close(&self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}

/// Places order after order. Whatever is not answered is repeated under its key, elsewhere.
pub(crate) async fn order_repeatedly(balancer: Balancer, customer: u32) -> LoadOutcome {
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
