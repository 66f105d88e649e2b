//! The audit: does what the service left behind agree with what it promised its customers?

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::load::LoadOutcome;
use super::observation::Observation;
use super::service_process::Surroundings;

/// A promise, and whether it was kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The promise.
    pub promise: &'static str,
    /// What breaks it; none if it holds.
    pub broken_by: Vec<String>,
}

impl Finding {
    /// Whether the promise was kept.
    pub fn holds(&self) -> bool {
        self.broken_by.is_empty()
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {}", if self.holds() { "[ ok ]" } else { "[FAIL]" }, self.promise)?;
        for example in self.broken_by.iter().take(3) {
            write!(formatter, "\n       {example}")?;
        }
        match self.broken_by.len() {
            0..=3 => Ok(()),
            more => write!(formatter, "\n       and {} more", more - 3),
        }
    }
}

/// Judges a service that was stopped gracefully: not only is nothing lost, nothing is left half done either.
pub fn judge(
    surroundings: &Surroundings,
    outcome: &LoadOutcome,
    seen: &Observation,
    log: &[String],
) -> Vec<Finding> {
    let mut findings = orders(&surroundings.topic, outcome, seen);
    findings.extend(payments(seen));
    findings.extend(published(surroundings, seen));
    findings.extend(shipments(&surroundings.topic, seen));
    findings.extend(products(surroundings, seen));
    findings.extend([
        Finding {
            promise: "no message was put aside",
            broken_by: Some(seen.rejected)
                .filter(|count| *count > 0)
                .map(|count| format!("{count} messages"))
                .into_iter()
                .collect(),
        },
        Finding { promise: "no customer met an error", broken_by: outcome.failed.clone() },
        Finding {
            promise: "nothing met a closed pool",
            broken_by: log.iter().filter(|line| speaks_of_a_closed_pool(line)).cloned().collect(),
        },
    ]);
    findings
}

/// What was accepted is there, once, and has its event.
fn orders(topic: &str, outcome: &LoadOutcome, seen: &Observation) -> Vec<Finding> {
    let orders: BTreeSet<&str> = seen.orders.iter().map(|order| order.id.as_str()).collect();
    let accepted: BTreeSet<String> = outcome.accepted.iter().map(ToString::to_string).collect();
    let of_customer = count(seen.orders.iter().map(|order| order.customer.as_str()));
    let events_of = count(seen.outbox.iter().filter(|row| row.topic == topic).map(|row| row.key.as_str()));
    let unaccounted = orders.iter().filter(|id| !accepted.contains(**id)).count();
    vec![
        Finding {
            promise: "every order that was accepted is in the database",
            broken_by: accepted
                .iter()
                .filter(|id| !orders.contains(id.as_str()))
                .map(|id| format!("order {id}"))
                .collect(),
        },
        Finding {
            promise: "no order is in the database that no customer knows of",
            broken_by: Some(unaccounted)
                .filter(|count| *count > outcome.in_doubt as usize)
                .map(|count| format!("{count} unknown orders, {} answers in doubt", outcome.in_doubt))
                .into_iter()
                .collect(),
        },
        Finding {
            promise: "no order is there twice, however often it was asked for",
            broken_by: unequal(&of_customer.keys().copied().collect(), &of_customer, "order of"),
        },
        Finding {
            promise: "every order has exactly one event in the outbox",
            broken_by: unequal(&orders, &events_of, "order"),
        },
    ]
}

/// What is paid is booked, once, and nothing else is.
fn payments(seen: &Observation) -> Vec<Finding> {
    vec![
        Finding {
            promise: "every order has a payment",
            broken_by: seen
                .orders
                .iter()
                .filter(|order| !seen.payments.contains_key(&order.id))
                .map(|order| format!("order {}", order.id))
                .collect(),
        },
        Finding {
            promise: "every payment that is settled is booked exactly once, and no other",
            broken_by: seen
                .payments
                .iter()
                .map(|(order, settled)| {
                    let expected = if *settled { (2, 0) } else { (0, 0) };
                    (order, expected, seen.booked.get(order).copied().unwrap_or_default())
                })
                .filter(|(_, expected, booked)| booked != expected)
                .map(|(order, _, (entries, sum))| format!("order {order}: {entries} entries, sum {sum}"))
                .collect(),
        },
    ]
}

/// The outbox and the topics agree.
fn published(surroundings: &Surroundings, seen: &Observation) -> Vec<Finding> {
    let catalog = surroundings.catalog_topic();
    let marked: BTreeSet<&str> =
        seen.outbox.iter().filter(|row| row.published).map(|row| row.event_id.as_str()).collect();
    let ours = seen.on(&surroundings.topic).chain(seen.on(&catalog));
    let on_topic = count(ours.filter_map(|record| record.event_id.as_deref()));
    let events_on_topic: BTreeSet<&str> = on_topic.keys().copied().collect();
    vec![
        Finding {
            promise: "every event that is marked published is on its topic",
            broken_by: missing(&marked, |id| on_topic.contains_key(id)),
        },
        Finding {
            promise: "every event on a topic is marked published",
            broken_by: missing(&events_on_topic, |id| marked.contains(id)),
        },
        Finding {
            promise: "no event was published twice",
            broken_by: unequal(&events_on_topic, &on_topic, "event"),
        },
    ]
}

/// The events on `topic` that its group has committed.
fn committed<'a>(topic: &str, seen: &'a Observation) -> BTreeSet<&'a str> {
    seen.records
        .iter()
        .filter(|record| record.topic == topic)
        .filter(|record| {
            let next = seen.committed.get(&(topic.to_owned(), record.partition));
            next.is_some_and(|next| record.offset < *next)
        })
        .filter_map(|record| record.event_id.as_deref())
        .collect()
}

/// What the order consumer took.
fn shipments(topic: &str, seen: &Observation) -> Vec<Finding> {
    let committed = committed(topic, seen);
    let processed = count(seen.processed.iter().map(|(event, _)| event.as_str()));
    let shipped = count(seen.shipped.iter().map(String::as_str));
    vec![
        Finding {
            promise: "every message that is committed was applied exactly once",
            broken_by: unequal(&committed, &shipped, "event"),
        },
        Finding {
            promise: "every message that was applied is committed and remembered",
            broken_by: missing(&shipped.keys().copied().collect(), |id| {
                committed.contains(id) && processed.get(id) == Some(&1)
            }),
        },
    ]
}

/// What the product consumer took, and what it told of it.
fn products(surroundings: &Surroundings, seen: &Observation) -> Vec<Finding> {
    let (topic, catalog) = (surroundings.product_topic(), surroundings.catalog_topic());
    let committed = committed(&topic, seen);
    let processed: BTreeSet<&str> =
        seen.processed.iter().filter(|(_, from)| *from == topic).map(|(event, _)| event.as_str()).collect();
    let told = seen.outbox.iter().filter(|row| row.topic == catalog).count();
    vec![
        Finding {
            promise: "every change of a product that is committed was taken over, and no other",
            broken_by: committed.symmetric_difference(&processed).map(|id| format!("event {id}")).collect(),
        },
        Finding {
            promise: "every change of a product that was taken over is told of exactly once",
            broken_by: Some((processed.len(), told))
                .filter(|(taken, told)| taken != told)
                .map(|(taken, told)| format!("{taken} taken over, {told} told of"))
                .into_iter()
                .collect(),
        },
    ]
}

/// How the database library puts it.
fn speaks_of_a_closed_pool(line: &str) -> bool {
    line.contains("closed pool") || line.contains("PoolClosed")
}

fn count<'a>(ids: impl Iterator<Item = &'a str>) -> BTreeMap<&'a str, usize> {
    let mut counts = BTreeMap::new();
    for id in ids {
        *counts.entry(id).or_default() += 1;
    }
    counts
}

fn missing(ids: &BTreeSet<&str>, present: impl Fn(&str) -> bool) -> Vec<String> {
    ids.iter().filter(|id| !present(id)).map(|id| format!("event {id}")).collect()
}

/// Those of `ids` that are not counted exactly once.
fn unequal(ids: &BTreeSet<&str>, counts: &BTreeMap<&str, usize>, what: &str) -> Vec<String> {
    ids.iter()
        .map(|id| (id, counts.get(id).copied().unwrap_or(0)))
        .filter(|(_, count)| *count != 1)
        .map(|(id, count)| format!("{what} {id}: {count} times"))
        .collect()
}

#[cfg(test)]
mod tests;
