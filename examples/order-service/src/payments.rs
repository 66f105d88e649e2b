//! The tables `payment` and `ledger_entry`: what is due, and the books.

use sqlx::{AnyConnection, AssertSqlSafe};
use uuid::Uuid;

use crate::clock::now_in_milliseconds;
use crate::database::{self, Dialect};
use crate::orders::Order;

/// Makes the payment of an order due, in the transaction that writes the order.
pub(crate) async fn request(connection: &mut AnyConnection, order: &Order) -> sqlx::Result<()> {
    sqlx::query("INSERT INTO payment (order_id, amount_cents, due_at) VALUES ($1, $2, $3)")
        .bind(order.id.to_string())
        .bind(order.amount_cents)
        .bind(now_in_milliseconds())
        .execute(connection)
        .await
        .map(drop)
}

/// The orders of up to `most` payments that are due, oldest first. On `PostgreSQL` they stay locked until the caller's transaction ends, and
/// another replica's settler passes over them; on `SQLite` the caller's transaction is the only one that writes.
pub(crate) async fn due(
    connection: &mut AnyConnection,
    dialect: Dialect,
    most: u16,
) -> sqlx::Result<Vec<String>> {
    let statement = match dialect {
        Dialect::Postgres => DUE_WITH_LOCK,
        Dialect::Sqlite => DUE,
    };
    sqlx::query_scalar(statement).bind(i64::from(most)).fetch_all(connection).await
}

pub(crate) const DUE: &str = "SELECT order_id FROM payment WHERE settled_at IS NULL ORDER BY due_at LIMIT $1";
pub(crate) const DUE_WITH_LOCK: &str = "SELECT order_id FROM payment WHERE settled_at IS NULL \
     ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED";

/// Books the payments of `orders`: the entries, two for each, and the marks are one transaction, the caller's.
pub(crate) async fn settle(connection: &mut AnyConnection, orders: &[String]) -> sqlx::Result<()> {
    if orders.is_empty() {
        return Ok(());
    }
    let now = now_in_milliseconds();
    let due = format!("WHERE order_id IN ({})", database::values(2, orders.len()));
    for statement in [
        format!(
            "INSERT INTO ledger_entry (order_id, account, amount_cents, booked_at) \
             SELECT order_id, 'customer', -amount_cents, CAST($1 AS BIGINT) FROM payment {due} \
             UNION ALL SELECT order_id, 'revenue', amount_cents, CAST($1 AS BIGINT) FROM payment {due}"
        ),
        format!("UPDATE payment SET settled_at = $1 {due}"),
    ] {
        let query = sqlx::query(AssertSqlSafe(statement)).bind(now);
        let query = orders.iter().fold(query, |query, order| query.bind(order.clone()));
        query.execute(&mut *connection).await?;
    }
    Ok(())
}

pub(crate) async fn is_settled(connection: &mut AnyConnection, order: Uuid) -> sqlx::Result<bool> {
    let row: Option<(String,)> =
        sqlx::query_as("SELECT order_id FROM payment WHERE order_id = $1 AND settled_at IS NOT NULL")
            .bind(order.to_string())
            .fetch_optional(connection)
            .await?;
    Ok(row.is_some())
}
