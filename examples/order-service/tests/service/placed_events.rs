//! Events of orders that nobody placed: what consumers need to be watched without the rest of the service.

use std::time::Duration;

use order_service::demo::observation::Observation;
use order_service::demo::service_process::Surroundings;
use order_service::order_event::OrderPlaced;
use rdkafka::ClientConfig;
use rdkafka::error::KafkaError;
use rdkafka::metadata::MetadataPartition;
use rdkafka::producer::{DeliveryFuture, FutureProducer, FutureRecord, Producer};
use uuid::Uuid;

const LONGEST_CALL: Duration = Duration::from_secs(10);

pub(crate) struct PlacedEvents {
    producer: FutureProducer,
    topic: String,
}

impl PlacedEvents {
    pub(crate) fn to(surroundings: &Surroundings) -> Self {
        let producer = ClientConfig::new().set("bootstrap.servers", &surroundings.brokers).create().unwrap();
        Self { producer, topic: surroundings.topic.clone() }
    }

    /// The partitions of the topic, which the broker makes when it is asked for them.
    pub(crate) async fn partitions(&self) -> Vec<i32> {
        let (producer, topic) = (self.producer.clone(), self.topic.clone());
        let metadata =
            tokio::task::spawn_blocking(move || producer.client().fetch_metadata(Some(&topic), LONGEST_CALL));
        let metadata = metadata.await.unwrap().unwrap();
        metadata.topics()[0].partitions().iter().map(MetadataPartition::id).collect()
    }

    /// Hands one to the client; its id, and what tells whether it arrived.
    pub(crate) fn send(&self, partition: Option<i32>) -> Result<(Uuid, DeliveryFuture), KafkaError> {
        let (event_id, order_id) = (Uuid::new_v4(), Uuid::new_v4());
        let event = OrderPlaced { event_id, order_id, customer: "nobody".to_owned(), amount_cents: 1 };
        let (key, payload) = (order_id.to_string(), serde_json::to_string(&event).unwrap());
        let mut record = FutureRecord::to(&self.topic).key(&key).payload(&payload);
        record.partition = partition;
        let delivery = self.producer.send_result(record).map_err(|(error, _)| error)?;
        Ok((event_id, delivery))
    }
}

/// How many events of the topic are applied.
pub(crate) fn applied(seen: &Observation, topic: &str) -> usize {
    seen.processed.iter().filter(|(_, from)| from == topic).count()
}
