use uuid::Uuid;

use super::super::observation::{OrderRow, OutboxRow, Record};
use super::*;

fn surroundings() -> Surroundings {
    Surroundings {
        database_url: "sqlite://nowhere".to_owned(),
        brokers: "localhost:1".to_owned(),
        topic: "orders".to_owned(),
        group: "service".to_owned(),
    }
}

fn record(topic: &str, offset: i64, event: &str) -> Record {
    Record { topic: topic.to_owned(), partition: 0, offset, event_id: Some(event.to_owned()) }
}

fn row(event: &str, topic: &str, key: &str, published: bool) -> OutboxRow {
    OutboxRow { event_id: event.to_owned(), topic: topic.to_owned(), key: key.to_owned(), published }
}

/// Three orders: one shipped and paid, one on the topic, one pending; and a product that changed twice, once unseen.
fn consistent() -> (LoadOutcome, Observation) {
    let ids: Vec<Uuid> = (1..=3).map(Uuid::from_u128).collect();
    let outcome = LoadOutcome { accepted: ids.clone(), refused: 7, ..LoadOutcome::default() };
    let names: Vec<String> = ids.iter().map(Uuid::to_string).collect();
    let topic = |name: &str| (name.to_owned(), 0);
    let pair = |event: &str, from: &str| (event.to_owned(), from.to_owned());
    let seen = Observation {
        orders: names.iter().map(|id| OrderRow { id: id.clone(), customer: format!("of {id}") }).collect(),
        outbox: vec![
            row("event 0", "orders", &names[0], true),
            row("event 1", "orders", &names[1], true),
            row("event 2", "orders", &names[2], false),
            row("update 0", "orders.catalog", "tea", true),
        ],
        payments: names.iter().map(|id| (id.clone(), *id == names[0])).collect(),
        booked: BTreeMap::from([(names[0].clone(), (2, 0))]),
        processed: vec![pair("event 0", "orders"), pair("change 0", "orders.products")],
        shipped: vec!["event 0".to_owned()],
        rejected: 0,
        records: vec![
            record("orders", 0, "event 0"),
            record("orders", 1, "event 1"),
            record("orders.products", 0, "change 0"),
            record("orders.products", 1, "change 1"),
            record("orders.catalog", 0, "update 0"),
        ],
        committed: BTreeMap::from([(topic("orders"), 1), (topic("orders.products"), 1)]),
    };
    (outcome, seen)
}

fn broken(outcome: &LoadOutcome, seen: &Observation, log: &[String]) -> Vec<&'static str> {
    judge(&surroundings(), outcome, seen, log)
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

type Damage = fn(&mut LoadOutcome, &mut Observation);

fn commit(seen: &mut Observation, topic: &str, next: i64) {
    seen.committed.insert((topic.to_owned(), 0), next);
}

fn book(seen: &mut Observation, entries: usize, sum: i64) {
    seen.booked.values_mut().for_each(|booked| *booked = (entries, sum));
}

const DAMAGES: [(&str, Damage); 19] = [
    ("every order that was accepted is in the database", |outcome, _| {
        outcome.accepted.push(Uuid::from_u128(9));
    }),
    ("no order is in the database that no customer knows of", |outcome, _| {
        outcome.accepted.pop();
    }),
    ("no order is there twice, however often it was asked for", |_, seen| {
        seen.orders[1].customer = seen.orders[0].customer.clone();
    }),
    ("every order has exactly one event in the outbox", |_, seen| {
        seen.outbox.remove(2);
    }),
    ("every order has a payment", |_, seen| {
        let unpaid = seen.orders[2].id.clone();
        seen.payments.remove(&unpaid);
    }),
    ("every payment that is settled is booked exactly once, and no other", |_, seen| book(seen, 4, 0)),
    ("every payment that is settled is booked exactly once, and no other", |_, seen| book(seen, 2, 5)),
    ("every payment that is settled is booked exactly once, and no other", |_, seen| {
        seen.payments.values_mut().for_each(|settled| *settled = false);
    }),
    ("every event that is marked published is on its topic", |_, seen| seen.outbox[2].published = true),
    ("every event on a topic is marked published", |_, seen| seen.outbox[3].published = false),
    ("no event was published twice", |_, seen| seen.records.push(seen.records[1].clone())),
    ("every message that is committed was applied exactly once", |_, seen| commit(seen, "orders", 2)),
    ("every message that is committed was applied exactly once", |_, seen| {
        seen.shipped.push(seen.shipped[0].clone());
    }),
    ("every message that was applied is committed and remembered", |_, seen| commit(seen, "orders", 0)),
    ("every change of a product that is committed was taken over, and no other", |_, seen| {
        commit(seen, "orders.products", 2);
    }),
    ("every change of a product that is committed was taken over, and no other", |_, seen| {
        commit(seen, "orders.products", 0);
    }),
    ("every change of a product that was taken over is told of exactly once", |_, seen| {
        seen.outbox.push(row("update 1", "orders.catalog", "tea", false));
    }),
    ("no message was put aside", |_, seen| seen.rejected = 1),
    ("no customer met an error", |outcome, _| outcome.failed.push("503".to_owned())),
];

#[test]
fn each_loss_and_each_repetition_is_found() {
    for (promise, damage) in DAMAGES {
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
