//! The order consumer: turns each order event into a shipment, once.

use rdkafka::error::KafkaError;
use shutdown_runtime::{Shutdown, background_task};

use crate::database::Database;
use crate::order_event::OrderPlaced;
use crate::order_feed::{CommitError, Delivery, OrderFeed};
use crate::{inbox, shipments};

/// The consumer cannot go on; the message at hand will be delivered again after the restart.
#[derive(Debug, thiserror::Error)]
pub enum ConsumeError {
    /// No more messages can be fetched.
    #[error("fetching: {0}")]
    Fetch(#[from] KafkaError),
    /// The effect was not applied.
    #[error("applying: {0}")]
    Apply(#[from] sqlx::Error),
    /// The effect was applied and the offset not committed: a redelivery will find it in `processed_event`.
    #[error(transparent)]
    Commit(#[from] CommitError),
}

/// Fetches, applies and commits one message at a time. Only the fetch looks at the stop; a message that has been taken is
/// applied and committed whatever happens meanwhile (R-SHUT-KFK-1).
#[background_task(budget = "20s")]
pub async fn order_consumer(
    feed: &OrderFeed,
    database: &Database,
    shutdown: Shutdown,
) -> Result<(), ConsumeError> {
    while let Some(fetched) = shutdown.run_until_requested(feed.next()).await {
        let delivery = match fetched {
            Ok(delivery) => delivery,
            Err(error) if is_passing(&error) => {
                tracing::warn!(%error, "fetching");
                continue;
            }
            Err(error) => return Err(error.into()),
        };
        apply(database, &delivery).await?;
        feed.commit(&delivery).await?;
    }
    Ok(())
}

/// Applies a message once, however often it is delivered: the row that remembers it and its effect are one transaction
/// (R-SHUT-IDEM-1). Local and short; anything slow belongs into an outbox (R-SHUT-KFK-2).
async fn apply(database: &Database, delivery: &Delivery) -> sqlx::Result<()> {
    let mut transaction = database.begin().await?;
    match serde_json::from_slice::<OrderPlaced>(&delivery.payload) {
        Ok(event) => {
            if inbox::take(&mut transaction, event.event_id, delivery).await? {
                shipments::plan(&mut transaction, &event).await?;
            }
        }
        Err(error) => {
            tracing::warn!(partition = delivery.partition, offset = delivery.offset, %error, "message put aside");
            inbox::reject(&mut transaction, delivery, &error.to_string()).await?;
        }
    }
    transaction.commit().await
}

/// The client reports a broker that it cannot reach as an error of the fetch, and goes on trying by itself.
fn is_passing(error: &KafkaError) -> bool {
    use rdkafka::error::RDKafkaErrorCode::{
        AllBrokersDown, BrokerTransportFailure, OperationTimedOut, UnknownTopicOrPartition,
    };
    matches!(
        error,
        KafkaError::MessageConsumption(
            AllBrokersDown | BrokerTransportFailure | OperationTimedOut | UnknownTopicOrPartition
        )
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demo::observation;
    use crate::testing::{self, Scratch};

    fn delivery(offset: i64, payload: Vec<u8>) -> Delivery {
        Delivery { topic: "orders".to_owned(), partition: 0, offset, payload }
    }

    #[tokio::test]
    async fn an_event_delivered_again_is_applied_once() {
        let scratch = Scratch::new().await;
        let payload = serde_json::to_vec(&testing::event()).unwrap();
        for offset in [0, 0, 5] {
            apply(&scratch.database, &delivery(offset, payload.clone())).await.unwrap();
        }
        let seen = observation::tables(&scratch.url).await.unwrap();
        assert_eq!((seen.processed.len(), seen.shipped.len()), (1, 1));
    }

    #[tokio::test]
    async fn a_message_that_is_no_event_is_put_aside_once() {
        let scratch = Scratch::new().await;
        for _ in 0..2 {
            apply(&scratch.database, &delivery(3, b"\xff not json".to_vec())).await.unwrap();
        }
        let seen = observation::tables(&scratch.url).await.unwrap();
        assert_eq!((seen.processed.len(), seen.shipped.len(), seen.rejected), (0, 0, 1));
    }
}
