//! The tables, brought up to date at the start and never touched by a stop (R-SHUT-DB-3).

use sqlx::AnyPool;
use sqlx::SqlSafeStr;
use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};

use crate::database::Dialect;

/// The scripts are compiled in, so that the binary is all there is to deploy.
const SCRIPTS: [(i64, &str, &str, &str); 2] = [
    (
        1,
        "orders",
        include_str!("../migrations/sqlite/0001_orders.sql"),
        include_str!("../migrations/postgres/0001_orders.sql"),
    ),
    (
        2,
        "shipments",
        include_str!("../migrations/sqlite/0002_shipments.sql"),
        include_str!("../migrations/postgres/0002_shipments.sql"),
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
