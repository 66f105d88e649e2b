//! The product consumer: takes changes of the catalogue over, and says so through the outbox.

use shutdown_runtime::{Shutdown, background_task};
use uuid::Uuid;

use crate::consume_error::ConsumeError;
use crate::database::Database;
use crate::group_member::Delivery;
use crate::product_event::{CatalogUpdated, ProductChanged};
use crate::product_feed::ProductFeed;
use crate::{inbox, outbox, products};

/// As the order consumer: only the fetch looks at the stop (R-SHUT-KFK-1). Whoever has to hear of a change is told by the
/// relay: no message waits here for another service (R-SHUT-KFK-2).
#[background_task(budget = "20s")]
pub async fn product_consumer(
    feed: &ProductFeed,
    database: &Database,
    catalog_topic: String,
    shutdown: Shutdown,
) -> Result<(), ConsumeError> {
    while let Some(fetched) = shutdown.run_until_requested(feed.member().next()).await {
        let delivery = fetched?;
        apply(database, &catalog_topic, &delivery).await?;
        feed.member().commit(&delivery).await?;
        metrics::counter!("messages_applied_total", "topic" => "products").increment(1);
    }
    Ok(())
}

/// The row that remembers the event, the change and what is told of it are one transaction (R-SHUT-IDEM-1).
async fn apply(database: &Database, catalog_topic: &str, delivery: &Delivery) -> sqlx::Result<()> {
    let mut transaction = database.begin().await?;
    match checked(&delivery.payload) {
        Ok(event) => {
            if inbox::take(&mut transaction, event.event_id, delivery).await?
                && products::apply(&mut transaction, &event).await?
            {
                let update = CatalogUpdated {
                    event_id: Uuid::new_v4(),
                    product_id: event.product_id,
                    version: event.version,
                };
                let key = update.product_id.clone();
                outbox::record(&mut transaction, update.event_id, catalog_topic, &key, &update).await?;
            }
        }
        Err(reason) => {
            tracing::warn!(
                partition = delivery.partition,
                offset = delivery.offset,
                reason,
                "message put aside"
            );
            inbox::reject(&mut transaction, delivery, &reason).await?;
        }
    }
    transaction.commit().await
}

/// What somebody else sends is checked here, and not by a constraint that would stop the consumer for good.
fn checked(payload: &[u8]) -> Result<ProductChanged, String> {
    let event: ProductChanged = serde_json::from_slice(payload).map_err(|error| error.to_string())?;
    let is_text = |text: &str| !text.is_empty() && !text.contains('\0');
    if event.price_cents <= 0 || !is_text(&event.product_id) || !is_text(&event.name) {
        return Err("a product has an id, a name and a price of more than nothing".to_owned());
    }
    Ok(event)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demo::observation;
    use crate::testing::Scratch;

    fn changed(version: i64) -> ProductChanged {
        ProductChanged {
            event_id: Uuid::new_v4(),
            product_id: "tea".to_owned(),
            name: "Tea".to_owned(),
            price_cents: 450,
            version,
        }
    }

    fn delivery(offset: i64, event: &ProductChanged) -> Delivery {
        let payload = serde_json::to_vec(event).unwrap();
        Delivery { topic: "products".to_owned(), partition: 0, offset, payload }
    }

    #[tokio::test]
    async fn a_change_is_taken_over_and_told_of_once_however_often_it_comes() {
        let scratch = Scratch::new().await;
        let (first, second) = (changed(1), changed(2));
        for (offset, event) in [(0, &first), (0, &first), (1, &second), (2, &first)] {
            apply(&scratch.database, "catalog", &delivery(offset, event)).await.unwrap();
        }
        let seen = observation::tables(&scratch.url).await.unwrap();
        assert_eq!((seen.processed.len(), seen.outbox.len()), (2, 2));
        assert!(seen.outbox.iter().all(|row| row.topic == "catalog" && row.key == "tea"));
    }

    #[tokio::test]
    async fn a_change_that_comes_after_a_later_one_is_old() {
        let scratch = Scratch::new().await;
        for (offset, version) in [(0, 7), (1, 3)] {
            apply(&scratch.database, "catalog", &delivery(offset, &changed(version))).await.unwrap();
        }
        let seen = observation::tables(&scratch.url).await.unwrap();
        assert_eq!((seen.processed.len(), seen.outbox.len()), (2, 1));
    }

    #[tokio::test]
    async fn a_product_that_costs_nothing_is_put_aside() {
        let scratch = Scratch::new().await;
        let free = ProductChanged { price_cents: 0, ..changed(1) };
        apply(&scratch.database, "catalog", &delivery(0, &free)).await.unwrap();
        let seen = observation::tables(&scratch.url).await.unwrap();
        assert_eq!((seen.processed.len(), seen.outbox.len(), seen.rejected), (0, 0, 1));
    }
}
