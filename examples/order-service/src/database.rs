//! The connection pool as a resource: the last but one to stop, since everything else uses it (R-SHUT-DB-1).

use std::fmt;
use std::time::Duration;

use shutdown_runtime::resource;
use sqlx::any::{AnyConnectOptions, AnyPoolOptions};
use sqlx::{Any, AnyConnection, AnyPool, ConnectOptions, Connection, Executor, Transaction};

use crate::migrations;
use crate::settings::without_password;
use crate::start_error::StartError;

/// No statement waits longer than this for a connection, and none for a lock: what a stop waits for is bounded.
const LONGEST_WAIT: Duration = Duration::from_secs(5);

/// The database. The pool inside is private, so that no clone of it can outlive the plan's say over it.
#[resource(close = close_database, budget = "5s")]
pub struct Database {
    pool: AnyPool,
    dialect: Dialect,
}

/// Waits for the connections that are still in use and closes them; nobody can be using one by now, for the plan stops
/// every user first. There is nothing else to do at a stop: migrations and clean-up belong to the start (R-SHUT-DB-3).
async fn close_database(database: &Database) {
    database.pool.close().await;
}

/// The two databases that are spoken here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    Sqlite,
    Postgres,
}

impl Dialect {
    fn of(url: &str) -> Self {
        if url.starts_with("sqlite:") { Self::Sqlite } else { Self::Postgres }
    }
}

impl Database {
    /// Connects, and brings the tables up to date. One line says what is wrong if either fails.
    pub async fn connect(url: &str) -> Result<Self, StartError> {
        sqlx::any::install_default_drivers();
        let dialect = Dialect::of(url);
        let failed = |error: sqlx::Error| StartError::Database {
            url: without_password(url),
            reason: one_line(&error),
        };
        let options = connect_options(url, dialect).map_err(failed)?;
        // One attempt by hand: a pool repeats a refused connection until its time is up and then says only that it is.
        let first = tokio::time::timeout(LONGEST_WAIT, options.connect()).await;
        let first = first.unwrap_or(Err(sqlx::Error::PoolTimedOut)).map_err(failed)?;
        first.close().await.map_err(failed)?;

        let pool = AnyPoolOptions::new()
            .max_connections(most_connections(dialect))
            .acquire_timeout(LONGEST_WAIT)
            .after_connect(move |connection, _| {
                Box::pin(async move { connection.execute(session_setup(dialect)).await.map(drop) })
            })
            .connect_with(options)
            .await
            .map_err(failed)?;
        let database = Self { pool, dialect };
        if let Err(error) = migrations::run(&database.pool, dialect).await {
            database.pool.close().await;
            return Err(StartError::Database { url: without_password(url), reason: error.to_string() });
        }
        Ok(database)
    }

    /// A transaction that may write. Dropped before its commit, it is rolled back.
    pub(crate) async fn begin(&self) -> sqlx::Result<Transaction<'static, Any>> {
        match self.dialect {
            // A transaction that begins by reading and then writes fails if another one wrote in between; one that says
            // from the start that it will write waits for its turn instead.
            Dialect::Sqlite => self.pool.begin_with("BEGIN IMMEDIATE").await,
            Dialect::Postgres => self.pool.begin().await,
        }
    }

    /// A connection for reading.
    pub(crate) async fn reader(&self) -> sqlx::Result<sqlx::pool::PoolConnection<Any>> {
        self.pool.acquire().await
    }

    pub(crate) fn dialect(&self) -> Dialect {
        self.dialect
    }
}

impl fmt::Debug for Database {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Database").field("dialect", &self.dialect).finish_non_exhaustive()
    }
}

/// The list of an `IN` for `count` values whose parameters begin with `first`: a batch is one statement, so that what it takes does
/// not grow with the way to the database for each of its rows.
pub(crate) fn values(first: usize, count: usize) -> String {
    let parameters: Vec<String> = (first..first + count).map(|number| format!("${number}")).collect();
    parameters.join(", ")
}

/// A single connection from outside the service, as the audit uses it.
pub(crate) async fn connect_once(url: &str) -> sqlx::Result<AnyConnection> {
    sqlx::any::install_default_drivers();
    connect_options(url, Dialect::of(url))?.connect().await
}

fn connect_options(url: &str, dialect: Dialect) -> sqlx::Result<AnyConnectOptions> {
    let url = match dialect {
        // Create the file if it is not there.
        Dialect::Sqlite if !url.contains("mode=") => {
            format!("{url}{}mode=rwc", if url.contains('?') { '&' } else { '?' })
        }
        _ => url.to_owned(),
    };
    url.parse()
}

/// `SQLite` has one writer at a time; more connections would only compete for its lock.
fn most_connections(dialect: Dialect) -> u32 {
    match dialect {
        Dialect::Sqlite => 4,
        Dialect::Postgres => 10,
    }
}

fn session_setup(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Sqlite => {
            "PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON"
        }
        Dialect::Postgres => "SET statement_timeout = '5s'; SET lock_timeout = '5s'",
    }
}

fn one_line(error: &sqlx::Error) -> String {
    match error {
        sqlx::Error::PoolTimedOut => format!("no answer within {LONGEST_WAIT:?}"),
        other => other.to_string().replace('\n', " "),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::testing::{self, Scratch};

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn sqlite_writers_wait_for_each_other() {
        let scratch = Arc::new(Scratch::new().await);
        let writers: Vec<_> = (0..16)
            .map(|_| {
                let scratch = Arc::clone(&scratch);
                tokio::spawn(async move {
                    for _ in 0..25 {
                        testing::place(&scratch.database).await.unwrap();
                    }
                })
            })
            .collect();
        for writer in writers {
            writer.await.unwrap();
        }
        let claim = crate::outbox::claim(&scratch.database, 500).await.unwrap();
        assert_eq!(claim.events().len(), 400);
    }

    #[tokio::test]
    async fn an_uncommitted_order_leaves_nothing_behind() {
        let scratch = Scratch::new().await;
        let mut transaction = scratch.database.begin().await.unwrap();
        sqlx::query("INSERT INTO orders VALUES ('x', 'somebody', 1, 1)")
            .execute(&mut *transaction)
            .await
            .unwrap();
        drop(transaction);
        assert_eq!(super::super::demo::observation::tables(&scratch.url).await.unwrap().orders.len(), 0);
        // A second start finds its tables as they should be.
        super::Database::connect(&scratch.url).await.unwrap();
    }
}
