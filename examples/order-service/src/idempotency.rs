//! The table `idempotency_key`: what a customer may repeat without ordering twice (R-SHUT-IDEM-X1).

use sqlx::AnyConnection;
use uuid::Uuid;

use crate::clock::now_in_milliseconds;

/// What came of a request that bore the same key before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Remembered {
    /// What was asked for then.
    pub(crate) fingerprint: String,
    /// The order that came of it.
    pub(crate) order: Uuid,
}

/// Whether the caller is the first with this key. The answer holds only inside the caller's transaction, together with the
/// order that it writes there. A request with the same key at the same time waits here until the first has committed.
pub(crate) async fn take(
    connection: &mut AnyConnection,
    key: &str,
    fingerprint: &str,
    order: Uuid,
) -> sqlx::Result<bool> {
    let result = sqlx::query(
        "INSERT INTO idempotency_key (key, fingerprint, order_id, created_at) VALUES ($1, $2, $3, $4) \
         ON CONFLICT (key) DO NOTHING",
    )
    .bind(key.to_owned())
    .bind(fingerprint.to_owned())
    .bind(order.to_string())
    .bind(now_in_milliseconds())
    .execute(connection)
    .await?;
    Ok(result.rows_affected() == 1)
}

/// What is known of a key.
pub(crate) async fn find(connection: &mut AnyConnection, key: &str) -> sqlx::Result<Option<Remembered>> {
    let row: Option<(String, String)> =
        sqlx::query_as("SELECT fingerprint, order_id FROM idempotency_key WHERE key = $1")
            .bind(key.to_owned())
            .fetch_optional(connection)
            .await?;
    row.map(|(fingerprint, order)| {
        let order = Uuid::parse_str(&order).map_err(|error| sqlx::Error::Decode(error.into()))?;
        Ok(Remembered { fingerprint, order })
    })
    .transpose()
}

pub(crate) const FORGET_OF_ORDER: &str = "DELETE FROM idempotency_key WHERE order_id = $1";

/// Forgets keys from before `moment` (milliseconds since 1970), at most 500 of them; how many.
pub(crate) async fn forget_before(connection: &mut AnyConnection, moment: i64) -> sqlx::Result<u64> {
    sqlx::query(
        "DELETE FROM idempotency_key WHERE key IN \
         (SELECT key FROM idempotency_key WHERE created_at < $1 ORDER BY created_at LIMIT 500)",
    )
    .bind(moment)
    .execute(connection)
    .await
    .map(|result| result.rows_affected())
}
