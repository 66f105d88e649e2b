//! The tables, brought up to date at the start and never touched by a stop (R-SHUT-DB-3).

use sqlx::AnyPool;
use sqlx::SqlSafeStr;
use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};

use crate::database::Dialect;

/// The scripts are compiled in, so that the binary is all there is to deploy.
const SCRIPTS: [(i64, &str, &str, &str); 7] = [
    (
        1,
        "orders",
        include_str!("../migrations/sqlite/0001_orders.sql"),
        include_str!("../migrations/postgres/0001_orders.sql"),
    ),
    (
        2,
        "outbox",
        include_str!("../migrations/sqlite/0002_outbox.sql"),
        include_str!("../migrations/postgres/0002_outbox.sql"),
    ),
    (
        3,
        "shipments",
        include_str!("../migrations/sqlite/0003_shipments.sql"),
        include_str!("../migrations/postgres/0003_shipments.sql"),
    ),
    (
        4,
        "payments",
        include_str!("../migrations/sqlite/0004_payments.sql"),
        include_str!("../migrations/postgres/0004_payments.sql"),
    ),
    (
        5,
        "products",
        include_str!("../migrations/sqlite/0005_products.sql"),
        include_str!("../migrations/postgres/0005_products.sql"),
    ),
    (
        6,
        "exports",
        include_str!("../migrations/sqlite/0006_exports.sql"),
        include_str!("../migrations/postgres/0006_exports.sql"),
    ),
    (
        7,
        "keys_of_orders",
        include_str!("../migrations/sqlite/0007_keys_of_orders.sql"),
        include_str!("../migrations/postgres/0007_keys_of_orders.sql"),
    ),
];

/// Runs what has not been run yet, each script in a transaction of its own.
pub(crate) async fn run(pool: &AnyPool, dialect: Dialect) -> Result<(), MigrateError> {
    let migrations = SCRIPTS
        .into_iter()
        .map(|(version, name, sqlite, postgres)| {
            let script = match dialect {
                Dialect::Sqlite => sqlite,
                Dialect::Postgres => postgres,
            };
            Migration::new(version, name.into(), MigrationType::Simple, script.into_sql_str(), false)
        })
        .collect();
    Migrator::with_migrations(migrations).run(pool).await
}
