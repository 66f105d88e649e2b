//! Somebody else's catalogue: changes products while the service works and stops.

use std::time::Duration;

use rdkafka::producer::{FutureProducer, FutureRecord};
use uuid::Uuid;

use super::DemoError;
use super::load::Progress;
use super::service_process::Surroundings;
use crate::broker::{self, Cluster};
use crate::product_event::ProductChanged;

/// How many products there are.
const PRODUCTS: i64 = 7;
const LONGEST_DELIVERY_MS: &str = "5000";

/// Changes one product after the other, with a pause between, until the load is over; how many changes were sent.
pub async fn run(
    surroundings: &Surroundings,
    pause: Duration,
    progress: &Progress,
) -> Result<usize, DemoError> {
    let failed = |error: rdkafka::error::KafkaError| DemoError::Service(format!("met no broker: {error}"));
    let mut client = broker::client(&Cluster::at(&surroundings.brokers), &[]);
    let producer: FutureProducer =
        client.set("message.timeout.ms", LONGEST_DELIVERY_MS).create().map_err(failed)?;
    let topic = surroundings.product_topic();
    let mut sent = 0;
    for change in 0.. {
        if progress.is_over() {
            break;
        }
        let product_id = format!("product-{}", change % PRODUCTS);
        let event = ProductChanged {
            event_id: Uuid::new_v4(),
            name: format!("Product {}", change % PRODUCTS),
            product_id: product_id.clone(),
            price_cents: 100 + change,
            version: change + 1,
        };
        let payload = serde_json::to_string(&event)
            .map_err(|error| DemoError::Service(format!("has an event that is no JSON: {error}")))?;
        let record = FutureRecord::to(&topic).key(&product_id).payload(&payload);
        producer.send(record, Duration::from_secs(5)).await.map_err(|(error, _)| failed(error))?;
        sent += 1;
        tokio::time::sleep(pause).await;
    }
    Ok(sent)
}
