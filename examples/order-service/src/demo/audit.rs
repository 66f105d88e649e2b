//! The audit: does what the service left behind agree with what it promised its customers?

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::load::LoadOutcome;
use super::observation::Observation;

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
pub fn judge(outcome: &LoadOutcome, seen: &Observation, log: &[String]) -> Vec<Finding> {
    let orders: BTreeSet<&str> = seen.orders.iter().map(String::as_str).collect();
    let accepted: BTreeSet<String> = outcome.accepted.iter().map(ToString::to_string).collect();
    let marked: BTreeSet<&str> =
        seen.outbox.iter().filter(|row| row.published).map(|row| row.event_id.as_str()).collect();
    let on_topic = count(seen.topic.iter().filter_map(|record| record.event_id.as_deref()));
    let events_on_topic: BTreeSet<&str> = on_topic.keys().copied().collect();
    let processed = count(seen.processed.iter().map(String::as_str));
    let shipped = count(seen.shipped.iter().map(String::as_str));
    let events_of = count(seen.outbox.iter().map(|row| row.order_id.as_str()));
    let is_committed = |partition, offset| seen.committed.get(&partition).is_some_and(|next| offset < *next);
    let committed: BTreeSet<&str> = seen
        .topic
        .iter()
        .filter(|record| is_committed(record.partition, record.offset))
        .filter_map(|record| record.event_id.as_deref())
        .collect();

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
            promise: "every order has exactly one event in the outbox",
            broken_by: unequal(&orders, &events_of, "order"),
        },
        Finding {
            promise: "every event that is marked published is on the topic",
            broken_by: missing(&marked, |id| on_topic.contains_key(id)),
        },
        Finding {
            promise: "every event on the topic is marked published",
            broken_by: missing(&events_on_topic, |id| marked.contains(id)),
        },
        Finding {
            promise: "no event was published twice",
            broken_by: unequal(&events_on_topic, &on_topic, "event"),
        },
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
mod tests {
    use super::super::observation::{OutboxRow, Record};
    use super::*;
    use uuid::Uuid;

    /// Three orders: one shipped, one on the topic, one pending.
    fn consistent() -> (LoadOutcome, Observation) {
        let ids: Vec<Uuid> = (1..=3).map(Uuid::from_u128).collect();
        let event = |number: usize| format!("event {number}");
        let outcome = LoadOutcome { accepted: ids.clone(), refused: 7, ..LoadOutcome::default() };
        let seen = Observation {
            orders: ids.iter().map(Uuid::to_string).collect(),
            outbox: (0..3)
                .map(|number| OutboxRow {
                    event_id: event(number),
                    order_id: ids[number].to_string(),
                    published: number < 2,
                })
                .collect(),
            processed: vec![event(0)],
            shipped: vec![event(0)],
            rejected: 0,
            topic: (0..2)
                .map(|offset| Record {
                    partition: 0,
                    offset,
                    event_id: Some(event(usize::try_from(offset).unwrap())),
                })
                .collect(),
            committed: BTreeMap::from([(0, 1)]),
        };
        (outcome, seen)
    }

    fn broken(outcome: &LoadOutcome, seen: &Observation, log: &[String]) -> Vec<&'static str> {
        judge(outcome, seen, log)
            .into_iter()
            .filter(|finding| !finding.holds())
            .map(|finding| finding.promise)
            .collect()
    }

    #[test]
    fn a_clean_stop_breaks_no_promise() {
        let (outcome, seen) = consistent();
        assert_eq!(broken(&outcome, &seen, &["pool closed, as it should".to_owned()]), Vec::<&str>::new());
    }

    #[test]
    fn each_loss_and_each_repetition_is_found() {
        type Damage = fn(&mut LoadOutcome, &mut Observation);
        let damages: [(&str, Damage); 11] = [
            ("every order that was accepted is in the database", |outcome, _| {
                outcome.accepted.push(Uuid::from_u128(9));
            }),
            ("no order is in the database that no customer knows of", |outcome, _| {
                outcome.accepted.pop();
            }),
            ("every order has exactly one event in the outbox", |_, seen| {
                seen.outbox.pop();
            }),
            ("every event that is marked published is on the topic", |_, seen| {
                seen.outbox[2].published = true;
            }),
            ("every event on the topic is marked published", |_, seen| seen.outbox[1].published = false),
            ("no event was published twice", |_, seen| seen.topic.push(seen.topic[1].clone())),
            ("every message that is committed was applied exactly once", |_, seen| {
                seen.committed.insert(0, 2);
            }),
            ("every message that is committed was applied exactly once", |_, seen| {
                seen.shipped.push(seen.shipped[0].clone());
            }),
            ("every message that was applied is committed and remembered", |_, seen| {
                seen.committed.insert(0, 0);
            }),
            ("no message was put aside", |_, seen| seen.rejected = 1),
            ("no customer met an error", |outcome, _| outcome.failed.push("503".to_owned())),
        ];
        for (promise, damage) in damages {
            let (mut outcome, mut seen) = consistent();
            damage(&mut outcome, &mut seen);
            assert_eq!(broken(&outcome, &seen, &[]), [promise]);
        }
        let (outcome, seen) = consistent();
        let log = ["attempted to acquire a connection on a closed pool".to_owned()];
        assert_eq!(broken(&outcome, &seen, &log), ["nothing met a closed pool"]);
    }

    #[test]
    fn an_answer_in_doubt_excuses_one_unknown_order() {
        let (mut outcome, seen) = consistent();
        outcome.accepted.pop();
        outcome.in_doubt = 1;
        assert_eq!(broken(&outcome, &seen, &[]), Vec::<&str>::new());
    }
}
