//! What the service left behind, read by somebody else: the tables through a connection of its own, the topic and the group's
//! offsets through a client of its own.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use rdkafka::consumer::{BaseConsumer, Consumer};
use rdkafka::error::{KafkaError, KafkaResult, RDKafkaErrorCode};
use rdkafka::message::Message;
use rdkafka::metadata::MetadataPartition;
use rdkafka::{Offset, TopicPartitionList};
use serde::Deserialize;
use sqlx::{AnyConnection, Connection};

use super::DemoError;
use super::service_process::Surroundings;
use crate::broker::{self, Cluster};
use crate::database;

/// What the service left behind.
#[derive(Debug, Clone, Default)]
pub struct Observation {
    /// The orders.
    pub orders: Vec<OrderRow>,
    /// The outbox.
    pub outbox: Vec<OutboxRow>,
    /// The payments' orders, and whether they are settled.
    pub payments: BTreeMap<String, bool>,
    /// The books: for each order how many entries there are, and their sum.
    pub booked: BTreeMap<String, (usize, i64)>,
    /// Event ids in `processed_event`, and the topics that they came from.
    pub processed: Vec<(String, String)>,
    /// Event ids in `shipment`.
    pub shipped: Vec<String>,
    /// Messages that the consumer put aside.
    pub rejected: usize,
    /// The topics, partition by partition.
    pub records: Vec<Record>,
    /// What the groups have committed.
    pub committed: Committed,
}

/// The next offset that a group would read, by topic and partition.
pub type Committed = BTreeMap<(String, i32), i64>;

impl Observation {
    /// The messages of one topic.
    pub fn on<'a>(&'a self, topic: &'a str) -> impl Iterator<Item = &'a Record> {
        self.records.iter().filter(move |record| record.topic == topic)
    }

    /// Whether nothing is left to do: every order is published, shipped and paid, and `changes` of products are taken over and
    /// told of.
    pub fn is_finished(&self, changes: usize) -> bool {
        self.outbox.iter().all(|row| row.published)
            && self.shipped.len() == self.orders.len()
            && self.processed.len() == self.orders.len() + changes
            && self.payments.values().all(|settled| *settled)
    }

    /// How far everything is, as one line.
    pub fn tally(&self) -> String {
        format!(
            "{} orders, {} of {} events published, {} shipped, {} processed, {} paid",
            self.orders.len(),
            self.outbox.iter().filter(|row| row.published).count(),
            self.outbox.len(),
            self.shipped.len(),
            self.processed.len(),
            self.payments.values().filter(|settled| **settled).count()
        )
    }
}

/// An order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderRow {
    /// Its id.
    pub id: String,
    /// Who ordered.
    pub customer: String,
}

/// A row of the outbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutboxRow {
    /// The event.
    pub event_id: String,
    /// Where it goes.
    pub topic: String,
    /// What it is about: an order, a product.
    pub key: String,
    /// Whether the relay says that it published it.
    pub published: bool,
}

/// A message of the topic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// Its topic.
    pub topic: String,
    /// Its partition.
    pub partition: i32,
    /// Its offset.
    pub offset: i64,
    /// The event in it; `None` if it holds none.
    pub event_id: Option<String>,
}

const LONGEST_CALL: Duration = Duration::from_secs(5);
const LONGEST_READ: Duration = Duration::from_secs(20);
/// A topic that says nothing for so long has been read to its end. There are brokers whose watermark is behind their last batch.
const QUIET: Duration = Duration::from_millis(200);

/// Reads everything.
pub async fn observe(surroundings: &Surroundings) -> Result<Observation, DemoError> {
    let observation = tables(&surroundings.database_url)
        .await
        .map_err(|error| DemoError::Observation("database", error.to_string()))?;
    let surroundings = surroundings.clone();
    // The client blocks: not on a thread of the runtime.
    let read = tokio::task::spawn_blocking(move || read_topics(&surroundings)).await;
    let (records, committed) = match read {
        Ok(Ok(read)) => read,
        Ok(Err(error)) => return Err(DemoError::Observation("topics", error.to_string())),
        Err(panicked) => return Err(DemoError::Observation("topics", panicked.to_string())),
    };
    Ok(Observation { records, committed, ..observation })
}

/// Reads the tables alone.
pub async fn tables(url: &str) -> sqlx::Result<Observation> {
    let mut connection = database::connect_once(url).await?;
    let outbox: Vec<(String, String, String, i64)> = sqlx::query_as(
        "SELECT event_id, topic, message_key, CAST(CASE WHEN published_at IS NULL THEN 0 ELSE 1 END AS BIGINT) \
         FROM outbox ORDER BY sequence",
    )
    .fetch_all(&mut connection)
    .await?;
    let payments: Vec<(String, i64)> = sqlx::query_as(
        "SELECT order_id, CAST(CASE WHEN settled_at IS NULL THEN 0 ELSE 1 END AS BIGINT) FROM payment",
    )
    .fetch_all(&mut connection)
    .await?;
    let entries: Vec<(String, i64)> =
        sqlx::query_as("SELECT order_id, amount_cents FROM ledger_entry").fetch_all(&mut connection).await?;
    let mut booked: BTreeMap<String, (usize, i64)> = BTreeMap::new();
    for (order, amount) in entries {
        let (count, sum) = booked.entry(order).or_default();
        (*count, *sum) = (*count + 1, *sum + amount);
    }
    let orders = pairs(&mut connection, "SELECT id, customer FROM orders").await?;
    let observation = Observation {
        orders: orders.into_iter().map(|(id, customer)| OrderRow { id, customer }).collect(),
        outbox: outbox
            .into_iter()
            .map(|(event_id, topic, key, published)| OutboxRow {
                event_id,
                topic,
                key,
                published: published == 1,
            })
            .collect(),
        payments: payments.into_iter().map(|(order, settled)| (order, settled == 1)).collect(),
        booked,
        processed: pairs(&mut connection, "SELECT event_id, topic FROM processed_event").await?,
        shipped: column(&mut connection, "SELECT event_id FROM shipment").await?,
        rejected: column(&mut connection, "SELECT reason FROM rejected_message").await?.len(),
        ..Observation::default()
    };
    connection.close().await?;
    Ok(observation)
}

async fn pairs(
    connection: &mut AnyConnection,
    statement: &'static str,
) -> sqlx::Result<Vec<(String, String)>> {
    sqlx::query_as(statement).fetch_all(connection).await
}

async fn column(connection: &mut AnyConnection, statement: &'static str) -> sqlx::Result<Vec<String>> {
    let rows: Vec<(String,)> = sqlx::query_as(statement).fetch_all(connection).await?;
    Ok(rows.into_iter().map(|(value,)| value).collect())
}

/// Reads the topics whole without joining a group, and the offsets that the groups have committed.
fn read_topics(surroundings: &Surroundings) -> KafkaResult<(Vec<Record>, Committed)> {
    let (products, catalog) = (surroundings.product_topic(), surroundings.catalog_topic());
    let product_group = surroundings.product_group();
    let (mut records, mut committed) = (Vec::new(), BTreeMap::new());
    for (topic, group) in [
        (&surroundings.topic, &surroundings.group),
        (&products, &product_group),
        // Nobody here reads it.
        (&catalog, &product_group),
    ] {
        let (more, offsets) = read_topic(&surroundings.brokers, topic, group)?;
        records.extend(more);
        committed.extend(offsets.into_iter().map(|(partition, next)| ((topic.clone(), partition), next)));
    }
    Ok((records, committed))
}

fn read_topic(brokers: &str, topic: &str, group: &str) -> KafkaResult<(Vec<Record>, BTreeMap<i32, i64>)> {
    let consumer: BaseConsumer = broker::client(&Cluster::at(brokers), &[])
        .set("group.id", group)
        .set("enable.auto.commit", "false")
        .create()?;
    let metadata = consumer.fetch_metadata(Some(topic), LONGEST_CALL)?;
    let partitions: Vec<i32> = metadata
        .topics()
        .iter()
        .filter(|found| found.name() == topic)
        .flat_map(|found| found.partitions().iter().map(MetadataPartition::id))
        .collect();

    let mut wanted = TopicPartitionList::new();
    let mut unread = BTreeMap::new();
    for &partition in &partitions {
        wanted.add_partition_offset(topic, partition, Offset::Beginning)?;
        let (_, end) = consumer.fetch_watermarks(topic, partition, LONGEST_CALL)?;
        if end > 0 {
            unread.insert(partition, end);
        }
    }
    let committed = consumer
        .committed_offsets(wanted.clone(), LONGEST_CALL)?
        .elements_for_topic(topic)
        .iter()
        .map(|element| match element.offset() {
            Offset::Offset(next) => (element.partition(), next),
            _ => (element.partition(), 0),
        })
        .collect();

    consumer.assign(&wanted)?;
    let mut records = Vec::new();
    let deadline = Instant::now() + LONGEST_READ;
    while Instant::now() < deadline {
        let Some(message) = consumer.poll(QUIET) else {
            if unread.is_empty() {
                break;
            }
            continue;
        };
        let message = message?;
        let (partition, offset) = (message.partition(), message.offset());
        if unread.get(&partition).is_some_and(|end| offset + 1 >= *end) {
            unread.remove(&partition);
        }
        let event_id = event_id(message.payload().unwrap_or_default());
        records.push(Record { topic: topic.to_owned(), partition, offset, event_id });
    }
    if unread.is_empty() {
        Ok((records, committed))
    } else {
        Err(KafkaError::MessageConsumption(RDKafkaErrorCode::OperationTimedOut))
    }
}

#[derive(Deserialize)]
struct AnyEvent {
    event_id: String,
}

fn event_id(payload: &[u8]) -> Option<String> {
    serde_json::from_slice::<AnyEvent>(payload).ok().map(|event| event.event_id)
}
