//! The tables `payment` and `ledger_entry`: what is due, and the books.

use sqlx::AnyConnection;
use uuid::Uuid;

use crate::clock::now_in_milliseconds;
use crate::database::Dialect;
use crate::orders::Order;

/// A payment that is due.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Due {
    pub(crate) order_id: String,
    pub(crate) amount_cents: i64,
}

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

/// Up to `most` payments that are due, oldest first. On `PostgreSQL` they stay locked until the caller's transaction ends, and
/// another replica's settler passes over them; on `SQLite` the caller's transaction is the only one that writes.
pub(crate) async fn due(
    connection: &mut AnyConnection,
    dialect: Dialect,
    most: u16,
) -> sqlx::Result<Vec<Due>> {
    let statement = match dialect {
        Dialect::Postgres => DUE_WITH_LOCK,
        Dialect::Sqlite => DUE,
    };
    let rows: Vec<(String, i64)> =
        sqlx::query_as(statement).bind(i64::from(most)).fetch_all(connection).await?;
    Ok(rows.into_iter().map(|(order_id, amount_cents)| Due { order_id, amount_cents }).collect())
}

pub(crate) const DUE: &str =
    "SELECT order_id, amount_cents FROM payment WHERE settled_at IS NULL ORDER BY due_at LIMIT $1";
pub(crate) const DUE_WITH_LOCK: &str = "SELECT order_id, amount_cents FROM payment WHERE settled_at IS NULL \
     ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED";

/// Books a payment: the two entries and the mark are one transaction, the caller's.
pub(crate) async fn settle(connection: &mut AnyConnection, due: &Due) -> sqlx::Result<()> {
    let now = now_in_milliseconds();
    for (account, amount) in [("customer", -due.amount_cents), ("revenue", due.amount_cents)] {
        sqlx::query(
            "INSERT INTO ledger_entry (order_id, account, amount_cents, booked_at) VALUES ($1, $2, $3, $4)",
        )
        .bind(due.order_id.clone())
        .bind(account.to_owned())
        .bind(amount)
        .bind(now)
        .execute(&mut *connection)
        .await?;
    }
    sqlx::query("UPDATE payment SET settled_at = $1 WHERE order_id = $2")
        .bind(now)
        .bind(due.order_id.clone())
        .execute(connection)
        .await
        .map(drop)
}

pub(crate) async fn is_settled(connection: &mut AnyConnection, order: Uuid) -> sqlx::Result<bool> {
    let row: Option<(String,)> =
        sqlx::query_as("SELECT order_id FROM payment WHERE order_id = $1 AND settled_at IS NOT NULL")
            .bind(order.to_string())
            .fetch_optional(connection)
            .await?;
    Ok(row.is_some())
}
