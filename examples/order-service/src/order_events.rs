//! The Kafka producer as a resource: closing it flushes what is still on its way (R-SHUT-KFK-4).

use std::fmt;
use std::time::Duration;

use rdkafka::error::KafkaError;
use rdkafka::producer::future_producer::DeliveryFuture;
use rdkafka::producer::{FutureProducer, FutureRecord, Producer};
use shutdown_runtime::{Closing, resource};

use crate::broker::{self, Cluster};
use crate::start_error::StartError;

/// The producer reports a message as undelivered after this long, so a batch of the relay ends within its 10 s even if
/// the broker is gone.
const LONGEST_DELIVERY_MS: &str = "5000";
/// Left of the close's time for its own answer.
const TIME_TO_REPORT: Duration = Duration::from_millis(200);

/// Where order events are published.
#[resource(close = flush_order_events, budget = "5s")]
pub struct OrderEvents {
    producer: FutureProducer,
}

/// Messages that were handed to the producer and never confirmed by the broker.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{count} messages undelivered when the producer was closed: {reason}")]
pub struct Undelivered {
    count: i32,
    reason: String,
}

/// Flushes. The call blocks, which is fine here: a close runs on a thread of its own that may be abandoned. It is bounded
/// all the same, so that the report says how many messages were left and not just that time was up.
async fn flush_order_events(events: &OrderEvents, closing: Closing) -> Result<(), Undelivered> {
    let Err(error) = events.producer.flush(closing.time_left().saturating_sub(TIME_TO_REPORT)) else {
        return Ok(());
    };
    Err(Undelivered { count: events.producer.in_flight_count(), reason: error.to_string() })
}

/// An event was not published.
#[derive(Debug, thiserror::Error)]
pub enum PublishError {
    /// The broker, or the client on its behalf, refused it.
    #[error("not delivered: {0}")]
    Refused(#[from] KafkaError),
    /// The producer went away before it knew.
    #[error("the producer was closed before the delivery was confirmed")]
    Closed,
}

/// A message on its way; await it to learn whether it arrived.
pub(crate) struct OnItsWay(Result<DeliveryFuture, KafkaError>);

impl OrderEvents {
    /// Makes the producer; it connects in the background.
    pub fn connect(cluster: &Cluster) -> Result<Self, StartError> {
        let producer = broker::client(cluster, &[("linger.ms", "5")])
            // Retries neither duplicate nor reorder, and a message counts as delivered once all replicas have it.
            .set("enable.idempotence", "true")
            .set("message.timeout.ms", LONGEST_DELIVERY_MS)
            .create()
            .map_err(|error| StartError::kafka_client(cluster, &error))?;
        Ok(Self { producer })
    }

    /// Hands a message to the producer. Messages of one key arrive in the order of these calls.
    pub(crate) fn send(&self, topic: &str, key: &str, payload: &str) -> OnItsWay {
        let record = FutureRecord::to(topic).key(key).payload(payload);
        OnItsWay(self.producer.send_result(record).map_err(|(error, _)| error))
    }
}

impl OnItsWay {
    /// Waits until the broker has confirmed the message.
    pub(crate) async fn arrived(self) -> Result<(), PublishError> {
        match self.0?.await {
            Ok(Ok(_)) => Ok(()),
            Ok(Err((error, _))) => Err(error.into()),
            Err(_) => Err(PublishError::Closed),
        }
    }
}

impl fmt::Debug for OrderEvents {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("OrderEvents").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use shutdown_runtime::{Report, Resource, shutdown_plan};

    use super::*;
    use crate::demo::observation;
    use crate::demo::service_process::Surroundings;
    use crate::embedded_broker::EmbeddedBroker;
    use crate::testing::Scratch;

    #[shutdown_plan(budget = "20s")]
    struct Producing {
        events: Resource<OrderEvents>,
    }

    /// A stop right after `count` messages were handed over and none was awaited.
    async fn stopped_with_messages(cluster: &Cluster, count: usize) -> (Report, Duration) {
        let events = OrderEvents::connect(cluster).unwrap();
        for number in 0..count {
            drop(events.send("orders", &number.to_string(), &format!("\"message {number}\"")));
        }
        let running = Producing { events: Resource::new(events) }.start().unwrap();
        let began = Instant::now();
        running.handle().request_now("the test");
        (running.stopped().await, began.elapsed())
    }

    #[tokio::test]
    async fn rows_41_and_42_what_was_handed_over_is_on_the_topic_after_the_close() {
        for count in [3, 5_000] {
            let broker = EmbeddedBroker::start().unwrap();
            let scratch = Scratch::new().await;
            let cluster = Cluster::at(broker.bootstrap_servers());
            let (report, _) = stopped_with_messages(&cluster, count).await;
            assert!(report.is_clean(), "{report}");
            let surroundings = Surroundings {
                database_url: scratch.url.clone(),
                brokers: cluster.brokers.clone(),
                topic: "orders".to_owned(),
                group: "nobody".to_owned(),
            };
            let seen = observation::observe(&surroundings).await.unwrap();
            assert_eq!(seen.on("orders").count(), count);
        }
    }

    #[tokio::test]
    async fn rows_38_43_and_47_a_close_without_a_broker_ends_in_time_and_says_what_was_left() {
        let (report, took) = stopped_with_messages(&Cluster::at("127.0.0.1:1"), 2).await;
        assert!(took < Duration::from_secs(6), "{took:?}");
        let member = report.member("OrderEvents").unwrap();
        let text = member.outcome.text().unwrap_or_default();
        assert!(text.contains("2 messages undelivered"), "{report}");
        assert_ne!(report.exit_code(), 0);
    }
}
