//! The table `orders`.

use sqlx::AnyConnection;
use uuid::Uuid;

use crate::clock::now_in_milliseconds;

/// An order as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Order {
    pub(crate) id: Uuid,
    pub(crate) customer: String,
    pub(crate) amount_cents: i64,
}

pub(crate) async fn insert(connection: &mut AnyConnection, order: &Order) -> sqlx::Result<()> {
    sqlx::query("INSERT INTO orders (id, customer, amount_cents, created_at) VALUES ($1, $2, $3, $4)")
        .bind(order.id.to_string())
        .bind(order.customer.clone())
        .bind(order.amount_cents)
        .bind(now_in_milliseconds())
        .execute(connection)
        .await
        .map(drop)
}

pub(crate) async fn find(connection: &mut AnyConnection, id: Uuid) -> sqlx::Result<Option<Order>> {
    let row: Option<(String, i64)> =
        sqlx::query_as("SELECT customer, amount_cents FROM orders WHERE id = $1")
            .bind(id.to_string())
            .fetch_optional(connection)
            .await?;
    Ok(row.map(|(customer, amount_cents)| Order { id, customer, amount_cents }))
}
