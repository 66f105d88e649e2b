//! The export worker: goes through long work one page at a time.

use shutdown_runtime::background_task;

use crate::database::Database;
use crate::exports;

/// One page of the export that has waited longest. However long an export takes, a stop waits for a page (R-SHUT-SCHED-1); the
/// next start, or another replica, goes on behind it.
#[background_task(every = "250ms", budget = "10s", unit = "5s")]
pub async fn export_worker(database: &Database) -> sqlx::Result<()> {
    let mut transaction = database.begin().await?;
    if let Some(export) = exports::next(&mut transaction, database.dialect()).await? {
        exports::step(&mut transaction, &export).await?;
    }
    transaction.commit().await
}
