//! The table `shipment`: the effect of an order event.

use sqlx::AnyConnection;
use uuid::Uuid;

use crate::clock::now_in_milliseconds;
use crate::order_event::OrderPlaced;

/// Plans a shipment. Calling it twice for one event plans two: see [`crate::inbox`] for what keeps that from happening.
pub(crate) async fn plan(connection: &mut AnyConnection, event: &OrderPlaced) -> sqlx::Result<()> {
    sqlx::query("INSERT INTO shipment (event_id, order_id, created_at) VALUES ($1, $2, $3)")
        .bind(event.event_id.to_string())
        .bind(event.order_id.to_string())
        .bind(now_in_milliseconds())
        .execute(connection)
        .await
        .map(drop)
}

pub(crate) const OF_ORDER: &str = "SELECT id FROM shipment WHERE order_id = $1 LIMIT 1";

pub(crate) async fn is_planned(connection: &mut AnyConnection, order: Uuid) -> sqlx::Result<bool> {
    let row: Option<(i64,)> =
        sqlx::query_as(OF_ORDER).bind(order.to_string()).fetch_optional(connection).await?;
    Ok(row.is_some())
}
