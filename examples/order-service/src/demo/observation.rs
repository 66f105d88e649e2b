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
use crate::{broker, database};

/// What the service left behind.
#[derive(Debug, Clone, Default)]
pub struct Observation {
    /// The orders' ids.
    pub orders: Vec<String>,
    /// The outbox.
    pub outbox: Vec<OutboxRow>,
    /// Event ids in `processed_event`.
    pub processed: Vec<String>,
    /// Event ids in `shipment`.
    pub shipped: Vec<String>,
    /// Messages that the consumer put aside.
    pub rejected: usize,
    /// The topic, partition by partition.
    pub topic: Vec<Record>,
    /// The next offset that the group would read, by partition.
    pub committed: BTreeMap<i32, i64>,
}

/// A row of the outbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutboxRow {
    /// The event.
    pub event_id: String,
    /// Its order.
    pub order_id: String,
    /// Whether the relay says that it published it.
    pub published: bool,
}

/// A message of the topic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// Its partition.
    pub partition: i32,
    /// Its offset.
    pub offset: i64,
    /// The event in it; `None` if it holds none.
    pub event_id: Option<String>,
}

const LONGEST_CALL: Duration = Duration::from_secs(5);
const LONGEST_READ: Duration = Duration::from_secs(20);

/// Reads everything.
pub async fn observe(surroundings: &Surroundings) -> Result<Observation, DemoError> {
    let observation = tables(&surroundings.database_url)
        .await
        .map_err(|error| DemoError::Observation("database", error.to_string()))?;
    let surroundings = surroundings.clone();
    // The client blocks: not on a thread of the runtime.
    let read = tokio::task::spawn_blocking(move || read_topic(&surroundings)).await;
    let (topic, committed) = match read {
        Ok(Ok(read)) => read,
        Ok(Err(error)) => return Err(DemoError::Observation("topic", error.to_string())),
        Err(panicked) => return Err(DemoError::Observation("topic", panicked.to_string())),
    };
    Ok(Observation { topic, committed, ..observation })
}

/// Reads the tables alone.
pub async fn tables(url: &str) -> sqlx::Result<Observation> {
    let mut connection = database::connect_once(url).await?;
    let outbox: Vec<(String, String, i64)> = sqlx::query_as(
        "SELECT event_id, order_id, CAST(CASE WHEN published_at IS NULL THEN 0 ELSE 1 END AS BIGINT) \
         FROM outbox ORDER BY sequence",
    )
    .fetch_all(&mut connection)
    .await?;
    let observation = Observation {
        orders: column(&mut connection, "SELECT id FROM orders").await?,
        outbox: outbox
            .into_iter()
            .map(|(event_id, order_id, published)| OutboxRow {
                event_id,
                order_id,
                published: published == 1,
            })
            .collect(),
        processed: column(&mut connection, "SELECT event_id FROM processed_event").await?,
        shipped: column(&mut connection, "SELECT event_id FROM shipment").await?,
        rejected: column(&mut connection, "SELECT reason FROM rejected_message").await?.len(),
        ..Observation::default()
    };
    connection.close().await?;
    Ok(observation)
}

async fn column(connection: &mut AnyConnection, statement: &'static str) -> sqlx::Result<Vec<String>> {
    let rows: Vec<(String,)> = sqlx::query_as(statement).fetch_all(connection).await?;
    Ok(rows.into_iter().map(|(value,)| value).collect())
}

/// Reads the whole topic without joining the group, and the offsets that the group has committed.
fn read_topic(surroundings: &Surroundings) -> KafkaResult<(Vec<Record>, BTreeMap<i32, i64>)> {
    let topic = surroundings.topic.as_str();
    let consumer: BaseConsumer = broker::client(&surroundings.brokers)
        .set("group.id", &surroundings.group)
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
    while !unread.is_empty() && Instant::now() < deadline {
        let Some(message) = consumer.poll(Duration::from_millis(200)) else { continue };
        let message = message?;
        let (partition, offset) = (message.partition(), message.offset());
        if unread.get(&partition).is_some_and(|end| offset + 1 >= *end) {
            unread.remove(&partition);
        }
        records.push(Record { partition, offset, event_id: event_id(message.payload().unwrap_or_default()) });
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
