//! The tables `processed_event` and `rejected_message`: what has been taken from the topic.

use sqlx::AnyConnection;
use uuid::Uuid;

use crate::clock::now_in_milliseconds;
use crate::group_member::Delivery;

/// Whether the caller is the first to take this event. The answer holds only inside the caller's transaction, together with
/// the effect that it applies there: either both are committed or neither is (R-SHUT-IDEM-1).
pub(crate) async fn take(
    connection: &mut AnyConnection,
    event: Uuid,
    delivery: &Delivery,
) -> sqlx::Result<bool> {
    let result = sqlx::query(
        "INSERT INTO processed_event (event_id, topic, partition, message_offset, processed_at) \
         VALUES ($1, $2, $3, $4, $5) ON CONFLICT (event_id) DO NOTHING",
    )
    .bind(event.to_string())
    .bind(delivery.topic.clone())
    .bind(i64::from(delivery.partition))
    .bind(delivery.offset)
    .bind(now_in_milliseconds())
    .execute(connection)
    .await?;
    Ok(result.rows_affected() == 1)
}

/// Puts a message aside that is no event of ours.
pub(crate) async fn reject(
    connection: &mut AnyConnection,
    delivery: &Delivery,
    reason: &str,
) -> sqlx::Result<()> {
    sqlx::query(
        "INSERT INTO rejected_message (topic, partition, message_offset, reason, payload, rejected_at) \
         VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (topic, partition, message_offset) DO NOTHING",
    )
    .bind(delivery.topic.clone())
    .bind(i64::from(delivery.partition))
    .bind(delivery.offset)
    .bind(reason.to_owned())
    .bind(delivery.payload.clone())
    .bind(now_in_milliseconds())
    .execute(connection)
    .await
    .map(drop)
}
