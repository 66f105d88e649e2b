//! The service on a real `PostgreSQL`: two replicas at a time, as in a rolling update.
//!
//! The server is `DATABASE_URL` if that names one, else a cluster of the test's own. Where neither is to be had the test says so
//! and passes, but on CI (`CI=true`) it fails: there the absence of a server is a mistake.

use std::time::{Duration, Instant};

use axum::body::Bytes;
use order_service::demo::client::Customer;
use order_service::demo::load::{self, Load, LoadOutcome, Progress};
use order_service::demo::{audit, observation};
use order_service::hot_statements::HotStatement;
use sqlx::{AssertSqlSafe, Connection, Executor, Row};
use uuid::Uuid;

use crate::postgres_server::PostgresServer;
use crate::support::{self, LONGEST_START, LONGEST_STOP};

/// A database of the test's own.
struct NewDatabase {
    url: String,
    name: String,
    /// The server's own database, from which ours is made and removed.
    of_the_server: String,
    _server: Option<PostgresServer>,
}

impl NewDatabase {
    /// `None` where there is no server.
    async fn create() -> Option<Self> {
        let given = std::env::var("DATABASE_URL").ok().filter(|url| url.starts_with("postgres"));
        let server = if given.is_some() { None } else { PostgresServer::start() };
        let Some(of_the_server) = given.or_else(|| server.as_ref().map(PostgresServer::url)) else {
            assert!(std::env::var_os("CI").is_none(), "no PostgreSQL binaries and no DATABASE_URL, on CI");
            println!("SKIPPED: no PostgreSQL: install the package `postgresql` or set DATABASE_URL");
            return None;
        };
        let name = format!("order_service_test_{}", Uuid::new_v4().simple());
        let (scheme, rest) = of_the_server.split_once("://").unwrap();
        let (place, options) = rest
            .split_once('?')
            .map_or((rest, String::new()), |(place, options)| (place, format!("?{options}")));
        let host = place.split('/').next().unwrap();
        let url = format!("{scheme}://{host}/{name}{options}");
        let this = Self { url, name, of_the_server, _server: server };
        this.execute(format!("CREATE DATABASE {}", this.name)).await;
        Some(this)
    }

    async fn remove(self) {
        self.execute(format!("DROP DATABASE {}", self.name)).await;
    }

    async fn execute(&self, statement: String) {
        sqlx::any::install_default_drivers();
        let mut connection = sqlx::AnyConnection::connect(&self.of_the_server).await.unwrap();
        connection.execute(AssertSqlSafe(statement)).await.unwrap();
        connection.close().await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_replicas_share_the_work_and_lose_nothing() {
    let Some(database) = NewDatabase::create().await else { return };
    let surroundings = support::surroundings(database.url.clone());
    let (mut first, mut second) =
        tokio::join!(async { support::start(&mut support::command(&surroundings)) }, async {
            support::start(&mut support::command(&surroundings))
        });
    let first_api = first.ready(LONGEST_START).await.unwrap().api;
    let second_api = second.ready(LONGEST_START).await.unwrap().api;

    let load = Load { orders: 100_000, customers: 3, pause: Duration::from_millis(20) };
    let (to_first, to_second) = (Progress::default(), Progress::default());
    let stops = async {
        tokio::time::sleep(Duration::from_secs(6)).await;
        first.terminate().unwrap();
        let first = first.end(LONGEST_STOP).await.unwrap();
        to_first.enough();
        // The second takes the first one's partitions over before it has to go as well.
        shipped_by_the_second(&second_api).await;
        second.terminate().unwrap();
        let second = second.end(LONGEST_STOP).await.unwrap();
        to_second.enough();
        (first, second)
    };
    let (one, two, (first, second)) =
        tokio::join!(load::run(&first_api, load, &to_first), load::run(&second_api, load, &to_second), stops);

    let mut outcome = LoadOutcome::default();
    outcome.add(one);
    outcome.add(two);
    let seen = observation::observe(&surroundings).await.unwrap();
    // The order that the test itself placed is one that no customer of the load knows of.
    outcome.in_doubt += 1;
    let log: Vec<String> = first.log.iter().chain(&second.log).cloned().collect();
    for finding in audit::judge(&surroundings, &outcome, &seen, &log) {
        assert!(finding.holds(), "{finding}\n{}", log.join("\n"));
    }
    for ended in [&first, &second] {
        assert_eq!(ended.code(), Some(0), "{}", ended.text());
        assert_eq!(support::out_of_order(&ended.log), None, "{}", ended.text());
    }
    assert!(
        outcome.accepted.len() > 100 && seen.shipped.len() > 50,
        "{} {}",
        outcome.accepted.len(),
        seen.shipped.len()
    );
    database.remove().await;
    println!(
        "{} accepted, {} published, {} shipped",
        outcome.accepted.len(),
        seen.on(&surroundings.topic).count(),
        seen.shipped.len()
    );
}

/// Fills the tables as a long life would, and asks the server how it finds what the hot statements ask for.
#[tokio::test]
async fn the_server_finds_its_rows_by_index() {
    let Some(database) = NewDatabase::create().await else { return };
    order_service::database::Database::connect(&database.url).await.unwrap();
    let mut connection = sqlx::AnyConnection::connect(&database.url).await.unwrap();
    for statement in [
        "INSERT INTO orders SELECT md5(n::text), 'customer ' || n % 1000, 1, n FROM generate_series(1, 50000) n",
        "INSERT INTO payment SELECT id, 1, created_at, CASE WHEN created_at > 49900 THEN NULL ELSE 1 END FROM orders",
        "INSERT INTO outbox (event_id, topic, message_key, payload, created_at, published_at) SELECT id, 'orders', id, '', \
         created_at, CASE WHEN created_at > 49900 THEN NULL ELSE 1 END FROM orders",
        "INSERT INTO idempotency_key SELECT id, '', id, created_at FROM orders",
        "INSERT INTO shipment (event_id, order_id, created_at) SELECT id, id, 1 FROM orders",
        "INSERT INTO export SELECT id, customer, '', 0, 0, created_at, CASE WHEN created_at > 49900 THEN NULL ELSE 1 END \
         FROM orders",
        "ANALYZE",
    ] {
        connection.execute(statement).await.unwrap();
    }
    for HotStatement { sql, index } in order_service::hot_statements::POSTGRES {
        // Parameters have no type in an EXPLAIN: text that reads as any.
        let sql = sql.replace("LIMIT $1", "LIMIT 50").replace("LIMIT $3", "LIMIT 500");
        let sql = sql.replace("< $1", "< '1000'").replace("$1", "'customer 7'").replace("$2", "'5'");
        let rows = connection.fetch_all(AssertSqlSafe(format!("EXPLAIN {sql}"))).await.unwrap();
        let plan: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
        assert!(plan.iter().any(|line| line.contains(index)), "{sql}: {plan:#?}");
        assert!(!plan.iter().any(|line| line.contains("Seq Scan")), "{sql}: {plan:#?}");
    }
    connection.close().await.unwrap();
    database.remove().await;
}

/// Places an order and waits until it has gone all the way.
async fn shipped_by_the_second(api: &str) {
    let customer = Customer::default();
    let placed =
        customer.post(&format!("{api}/orders"), r#"{"customer":"last","amount_cents":1}"#).await.unwrap();
    let order: serde_json::Value = serde_json::from_slice(&placed.body).unwrap();
    let url = format!("{api}/orders/{}", order["id"].as_str().unwrap());
    let deadline = Instant::now() + LONGEST_START;
    while Instant::now() < deadline {
        let body: Bytes = customer.get(&url).await.unwrap().body;
        let order: serde_json::Value = serde_json::from_slice(&body).unwrap();
        if order["shipment_planned"] == true {
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("not shipped within {LONGEST_START:?}");
}
