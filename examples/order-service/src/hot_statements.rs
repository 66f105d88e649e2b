//! The statements that run all the time, and the index that has to serve each: without it the work of a tick grows with the
//! tables, and with it what a stop waits for.

use crate::{exports, idempotency, orders, outbox, payments, shipments};

/// A statement and its index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HotStatement {
    /// As it is sent; `$1` and so on are its parameters.
    pub sql: &'static str,
    /// What the database has to find its rows by.
    pub index: &'static str,
}

const fn hot(sql: &'static str, index: &'static str) -> HotStatement {
    HotStatement { sql, index }
}

/// As `PostgreSQL` gets them.
pub const POSTGRES: [HotStatement; 7] = [
    hot(outbox::CLAIM_WITH_LOCK, "outbox_pending"),
    hot(payments::DUE_WITH_LOCK, "payment_due"),
    hot(exports::NEXT_WITH_LOCK, "export_pending"),
    hot(exports::ORDERS_OF_CUSTOMER, "orders_of_customer"),
    hot(shipments::OF_ORDER, "shipment_of_order"),
    hot(orders::EXPIRED, "payment_due"),
    hot(idempotency::FORGET_OF_ORDER, "idempotency_key_of_order"),
];

/// As `SQLite` gets them.
pub const SQLITE: [HotStatement; 7] = [
    hot(outbox::CLAIM, "outbox_pending"),
    hot(payments::DUE, "payment_due"),
    hot(exports::NEXT, "export_pending"),
    hot(exports::ORDERS_OF_CUSTOMER, "orders_of_customer"),
    hot(shipments::OF_ORDER, "shipment_of_order"),
    hot(orders::EXPIRED, "payment_due"),
    hot(idempotency::FORGET_OF_ORDER, "idempotency_key_of_order"),
];

#[cfg(test)]
mod tests {
    use sqlx::{AssertSqlSafe, Row};

    use super::*;
    use crate::testing::Scratch;

    #[tokio::test]
    async fn sqlite_finds_its_rows_by_index() {
        let scratch = Scratch::new().await;
        let mut connection = scratch.database.reader().await.unwrap();
        for HotStatement { sql, index } in SQLITE {
            let explain = format!("EXPLAIN QUERY PLAN {sql}");
            let mut query = sqlx::query(AssertSqlSafe(explain));
            for _ in 0..sql.matches('$').count() {
                query = query.bind(1_i64);
            }
            let rows = query.fetch_all(&mut *connection).await.unwrap();
            let plan: Vec<String> = rows.iter().map(|row| row.get(3)).collect();
            assert!(plan.iter().any(|line| line.contains(index)), "{sql}: {plan:?}");
            assert!(!plan.iter().any(|line| line.contains("TEMP B-TREE")), "{sql} sorts: {plan:?}");
        }
    }
}
