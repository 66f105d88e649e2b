//! Where the runs of a kill test keep their tables: a file each, or with `KILL_DATABASE=postgres` a database each on one
//! throwaway server.

use sqlx::{AssertSqlSafe, Connection, Executor};
use uuid::Uuid;

use crate::postgres_server::PostgresServer;
use crate::support::Directory;

/// Makes databases.
pub(crate) enum Databases {
    Files,
    Server(PostgresServer),
}

/// A database of one run.
pub(crate) enum Database<'a> {
    File { url: String, _directory: Directory },
    OnServer { url: String, name: String, server: &'a PostgresServer },
}

impl Databases {
    pub(crate) fn of_the_environment() -> Self {
        match std::env::var("KILL_DATABASE").as_deref() {
            Ok("postgres") => Self::Server(PostgresServer::start().expect("no PostgreSQL binaries")),
            Ok("sqlite") | Err(_) => Self::Files,
            Ok(other) => panic!("KILL_DATABASE={other:?}: expected sqlite or postgres"),
        }
    }

    /// `None` where no binaries are installed, which is a mistake on CI (`CI=true`).
    pub(crate) fn on_postgres() -> Option<Self> {
        let server = PostgresServer::start();
        if server.is_none() {
            assert!(std::env::var_os("CI").is_none(), "no PostgreSQL binaries, on CI");
            println!("SKIPPED: no PostgreSQL: install the package `postgresql`");
        }
        server.map(Self::Server)
    }

    pub(crate) async fn create(&self) -> Database<'_> {
        match self {
            Self::Files => {
                let directory = Directory::new();
                Database::File { url: directory.database_url(), _directory: directory }
            }
            Self::Server(server) => {
                let name = format!("run_{}", Uuid::new_v4().simple());
                execute(&server.url(), format!("CREATE DATABASE {name}")).await;
                let of_the_server = server.url();
                let (place, _) = of_the_server.rsplit_once('/').unwrap();
                Database::OnServer { url: format!("{place}/{name}"), name, server }
            }
        }
    }
}

impl Database<'_> {
    pub(crate) fn url(&self) -> &str {
        match self {
            Self::File { url, .. } | Self::OnServer { url, .. } => url,
        }
    }

    /// Ends all connections to it, as a failover does; how many there were.
    pub(crate) async fn end_connections(&self) -> u64 {
        let Self::OnServer { name, server, .. } = self else { return 0 };
        let statement = format!(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
             WHERE datname = '{name}' AND pid <> pg_backend_pid()"
        );
        execute(&server.url(), statement).await
    }

    pub(crate) async fn rows_of(&self, table: &str) -> i64 {
        let mut connection = connect(self.url()).await;
        let statement = AssertSqlSafe(format!("SELECT COUNT(*) FROM {table}"));
        let rows = sqlx::query_scalar(statement).fetch_one(&mut connection).await.unwrap();
        connection.close().await.unwrap();
        rows
    }

    /// Removes it. A server refuses while somebody is connected, so this also shows that no connection was left behind.
    pub(crate) async fn remove(self) {
        if let Self::OnServer { name, server, .. } = self {
            execute(&server.url(), format!("DROP DATABASE {name}")).await;
        }
    }
}

async fn execute(url: &str, statement: String) -> u64 {
    let mut connection = connect(url).await;
    let done = connection.execute(AssertSqlSafe(statement)).await.unwrap();
    connection.close().await.unwrap();
    done.rows_affected()
}

async fn connect(url: &str) -> sqlx::AnyConnection {
    sqlx::any::install_default_drivers();
    sqlx::AnyConnection::connect(url).await.unwrap()
}
