//! The cleaner: removes what has expired.

use std::time::Duration;

use shutdown_runtime::background_task;

use crate::clock::now_in_milliseconds;
use crate::database::Database;
use crate::settings::CleanerSettings;
use crate::{idempotency, orders};

/// Removes orders that nobody paid and nobody shipped, and idempotency keys that nobody will repeat. It has nothing to lose: a
/// transaction that is dropped is rolled back, and the next start, or another replica, cleans the rest. So a stop does not wait
/// for it.
#[background_task(stop = "drop", budget = "1s")]
pub async fn order_cleaner(database: &Database, settings: CleanerSettings) -> ! {
    loop {
        tokio::time::sleep(settings.interval).await;
        match clean(database, settings.lifetime).await {
            Ok(0) => {}
            Ok(removed) => tracing::info!(removed, "expired orders and keys"),
            Err(error) => tracing::warn!(%error, "cleaning"),
        }
    }
}

async fn clean(database: &Database, lifetime: Duration) -> sqlx::Result<u64> {
    let moment =
        now_in_milliseconds().saturating_sub(i64::try_from(lifetime.as_millis()).unwrap_or(i64::MAX));
    let mut transaction = database.begin().await?;
    let keys = idempotency::forget_before(&mut transaction, moment).await?;
    let orders = orders::remove_unpaid_before(&mut transaction, moment).await?;
    transaction.commit().await?;
    Ok(keys + orders)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demo::observation;
    use crate::testing::{self, Scratch};
    use crate::{payments, shipments};

    #[tokio::test]
    async fn only_what_nobody_paid_and_nobody_shipped_is_removed() {
        let scratch = Scratch::new().await;
        let (paid, shipped) = (
            testing::place(&scratch.database).await.unwrap(),
            testing::place(&scratch.database).await.unwrap(),
        );
        let expired = testing::place(&scratch.database).await.unwrap();
        let mut transaction = scratch.database.begin().await.unwrap();
        payments::settle(&mut transaction, &[paid.order_id.to_string()]).await.unwrap();
        shipments::plan(&mut transaction, &shipped).await.unwrap();
        for event in [&paid, &expired] {
            let key = event.order_id.to_string();
            assert!(idempotency::take(&mut transaction, &key, "", event.order_id).await.unwrap());
        }
        transaction.commit().await.unwrap();

        assert_eq!(clean(&scratch.database, Duration::from_mins(1)).await.unwrap(), 0, "all are young");
        tokio::time::sleep(Duration::from_millis(2)).await;
        // Two keys, and one order; its key is one of them.
        assert_eq!(clean(&scratch.database, Duration::ZERO).await.unwrap(), 3);
        let seen = observation::tables(&scratch.url).await.unwrap();
        assert_eq!(seen.orders.len(), 2);
        assert!(seen.orders.iter().all(|order| order.id != expired.order_id.to_string()));
    }
}
