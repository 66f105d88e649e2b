//! The payment settler: books what is due.

use std::time::Duration;

use shutdown_runtime::{CriticalError, Lease, Shutdown, background_task};

use crate::database::Database;
use crate::payments;

/// Payments in one transaction, of as many statements however many they are: a batch is over long before the budget is, even
/// where the database is slow.
const MOST_IN_A_BATCH: u16 = 50;

/// A batch was not settled; its payments are still due.
#[derive(Debug, thiserror::Error)]
pub enum SettleError {
    /// The database refused.
    #[error("settling: {0}")]
    Books(#[from] sqlx::Error),
    /// The transaction did not come to its end.
    #[error("settling: {0}")]
    Critical(#[from] CriticalError),
}

/// Settles batch after batch while there are any, then waits. The wait ends at the stop; the transaction is a critical
/// section, which the stop waits for, and not even an abort of this task cuts it (R-SHUT-SCHED-2, R-SHUT-DB-2).
#[background_task(budget = "10s", batch = 50, per_item = "100ms")]
pub async fn payment_settler(
    database: Lease<Database>,
    interval: Duration,
    shutdown: Shutdown,
) -> Result<(), SettleError> {
    while shutdown.sleep(interval).await {
        while let Some(settled) = shutdown.unit(shutdown.critical(settle(database.clone()))).await {
            match settled {
                Ok(Ok(batch)) if batch == usize::from(MOST_IN_A_BATCH) => {}
                Ok(Ok(_)) => break,
                // They stay due: a database that was away for a moment is no reason to stop the service.
                Ok(Err(error)) => {
                    tracing::warn!(%error, "settling");
                    break;
                }
                Err(error) => return Err(error.into()),
            }
        }
    }
    Ok(())
}

/// Settles one batch in one transaction; how many payments it had.
async fn settle(database: Lease<Database>) -> sqlx::Result<usize> {
    let mut transaction = database.begin().await?;
    let due = payments::due(&mut transaction, database.dialect(), MOST_IN_A_BATCH).await?;
    payments::settle(&mut transaction, &due).await?;
    transaction.commit().await?;
    metrics::counter!("payments_settled_total").increment(due.len() as u64);
    Ok(due.len())
}

#[cfg(test)]
mod tests {
    use shutdown_runtime::Resource;

    use super::*;
    use crate::demo::observation;
    use crate::testing::{self, Scratch};

    #[tokio::test]
    async fn what_is_due_is_booked_once_a_batch_at_a_time() {
        let scratch = Scratch::new().await;
        for _ in 0..60 {
            testing::place(&scratch.database).await.unwrap();
        }
        let database = Resource::new(Database::connect(&scratch.url).await.unwrap());
        for expected in [50, 10, 0] {
            assert_eq!(settle(database.lease()).await.unwrap(), expected);
        }
        let seen = observation::tables(&scratch.url).await.unwrap();
        assert!(seen.payments.len() == 60 && seen.payments.values().all(|settled| *settled));
        assert!(seen.booked.len() == 60 && seen.booked.values().all(|booked| *booked == (2, 0)));
    }
}
