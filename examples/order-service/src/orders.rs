//! The table `orders`.

use sqlx::AnyConnection;
use uuid::Uuid;

use crate::clock::now_in_milliseconds;
use crate::idempotency;

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

pub(crate) const EXPIRED: &str = "SELECT order_id FROM payment WHERE settled_at IS NULL AND due_at < $1 AND NOT EXISTS \
     (SELECT 1 FROM shipment WHERE shipment.order_id = payment.order_id) ORDER BY due_at LIMIT 500";

/// Removes orders from before `moment` (milliseconds since 1970) that were neither paid nor shipped, at most 500; how many.
pub(crate) async fn remove_unpaid_before(connection: &mut AnyConnection, moment: i64) -> sqlx::Result<u64> {
    let expired: Vec<(String,)> = sqlx::query_as(EXPIRED).bind(moment).fetch_all(&mut *connection).await?;
    let mut removed = 0;
    for (order,) in &expired {
        // It may have been settled meanwhile; then it stays.
        let payment = "DELETE FROM payment WHERE order_id = $1 AND settled_at IS NULL";
        if sqlx::query(payment).bind(order.clone()).execute(&mut *connection).await?.rows_affected() == 0 {
            continue;
        }
        for rest in [idempotency::FORGET_OF_ORDER, "DELETE FROM orders WHERE id = $1"] {
            sqlx::query(rest).bind(order.clone()).execute(&mut *connection).await?;
        }
        removed += 1;
    }
    Ok(removed)
}
