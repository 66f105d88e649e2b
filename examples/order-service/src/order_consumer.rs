//! The order consumer: turns each order event into a shipment, once.

use shutdown_runtime::{Shutdown, background_task};

use crate::consume_error::ConsumeError;
use crate::database::Database;
use crate::group_member::Delivery;
use crate::order_event::OrderPlaced;
use crate::order_feed::OrderFeed;
use crate::{inbox, shipments};

/// Fetches, applies and commits one message at a time. Only the fetch looks at the stop; a message that has been taken is
/// applied and committed whatever happens meanwhile (R-SHUT-KFK-1).
#[background_task(budget = "20s")]
pub async fn order_consumer(
    feed: &OrderFeed,
    database: &Database,
    shutdown: Shutdown,
) -> Result<(), ConsumeError> {
    while let Some(fetched) = shutdown.run_until_requested(feed.member().next()).await {
        let delivery = fetched?;
        apply(database, &delivery).await?;
        feed.member().commit(&delivery).await?;
        metrics::counter!("messages_applied_total", "topic" => "orders").increment(1);
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
