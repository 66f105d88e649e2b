//! The load: a few customers who post orders one after the other, and go on doing so while the service stops.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use axum::http::StatusCode;
use serde::Deserialize;
use tokio::task::JoinSet;
use uuid::Uuid;

use super::client::{Customer, NoAnswer};

/// How much is asked of the service.
#[derive(Debug, Clone, Copy)]
pub struct Load {
    /// Orders in all.
    pub orders: u32,
    /// Customers at a time, each with a connection of its own.
    pub customers: u32,
    /// What a customer waits between two orders.
    pub pause: Duration,
}

/// How far a running load is; clones count together.
#[derive(Debug, Clone, Default)]
pub struct Progress {
    taken: Arc<AtomicU32>,
    accepted: Arc<AtomicU32>,
    ended: Arc<AtomicBool>,
}

impl Progress {
    /// Orders accepted so far.
    pub fn accepted(&self) -> u32 {
        self.accepted.load(Ordering::Relaxed)
    }

    /// Ends the load: customers post no more orders.
    pub fn enough(&self) {
        self.ended.store(true, Ordering::Relaxed);
    }

    /// Whether [`enough`](Self::enough) was said.
    pub fn is_over(&self) -> bool {
        self.ended.load(Ordering::Relaxed)
    }

    /// The number of the next order, while there are any.
    fn next(&self, load: Load) -> Option<u32> {
        if self.ended.load(Ordering::Relaxed) {
            return None;
        }
        let number = self.taken.fetch_add(1, Ordering::Relaxed);
        (number < load.orders).then_some(number)
    }
}

/// What became of the orders.
#[derive(Debug, Clone, Default)]
pub struct LoadOutcome {
    /// Answered with 201: these the service must never lose.
    pub accepted: Vec<Uuid>,
    /// No connection: the service never saw them.
    pub refused: u32,
    /// The connection broke before the answer: stored or not, either is right.
    pub in_doubt: u32,
    /// Answered with anything else, which a stop is no excuse for.
    pub failed: Vec<String>,
}

impl LoadOutcome {
    /// Adds another customer's outcome.
    pub fn add(&mut self, other: Self) {
        self.accepted.extend(other.accepted);
        self.refused += other.refused;
        self.in_doubt += other.in_doubt;
        self.failed.extend(other.failed);
    }
}

/// Posts orders to `api` until all have been tried.
pub async fn run(api: &str, load: Load, progress: &Progress) -> LoadOutcome {
    let mut customers = JoinSet::new();
    for _ in 0..load.customers {
        customers.spawn(order_repeatedly(format!("{api}/orders"), load, progress.clone()));
    }
    let mut outcome = LoadOutcome::default();
    while let Some(joined) = customers.join_next().await {
        match joined {
            Ok(part) => outcome.add(part),
            Err(panicked) => outcome.failed.push(panicked.to_string()),
        }
    }
    outcome
}

async fn order_repeatedly(url: String, load: Load, progress: Progress) -> LoadOutcome {
    let customer = Customer::default();
    let mut outcome = LoadOutcome::default();
    while let Some(number) = progress.next(load) {
        let one = order(&customer, &url, number).await;
        if !one.accepted.is_empty() {
            progress.accepted.fetch_add(1, Ordering::Relaxed);
        }
        outcome.add(one);
        tokio::time::sleep(load.pause).await;
    }
    outcome
}

#[derive(Deserialize)]
struct AcceptedOrder {
    id: Uuid,
}

/// Posts one order and says what became of it.
pub async fn order(customer: &Customer, url: &str, number: u32) -> LoadOutcome {
    let mut outcome = LoadOutcome::default();
    // A customer of its own, so that the audit sees an order that is there twice.
    let key = Uuid::new_v4().to_string();
    let body =
        serde_json::json!({ "customer": format!("customer {number} {key}"), "amount_cents": number + 1 });
    match customer.post_with_key(url, &key, body.to_string()).await {
        Ok(answer) if answer.status == StatusCode::CREATED => {
            match serde_json::from_slice::<AcceptedOrder>(&answer.body) {
                Ok(order) => outcome.accepted.push(order.id),
                Err(error) => outcome.failed.push(format!("201 without an order: {error}")),
            }
        }
        Ok(answer) => {
            let text = String::from_utf8_lossy(&answer.body);
            outcome.failed.push(format!("{}: {}", answer.status, text.trim()));
        }
        Err(NoAnswer::Refused(_)) => outcome.refused += 1,
        Err(NoAnswer::InDoubt(_)) => outcome.in_doubt += 1,
    }
    outcome
}
