//! The table `outbox`: what has to be told to the world, written in the transaction that makes it true.

use serde::Serialize;
use sqlx::{Any, AnyConnection, AssertSqlSafe, Transaction};
use uuid::Uuid;

use crate::clock::now_in_milliseconds;
use crate::database::{self, Database, Dialect};

/// An event that nobody has been told of yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PendingEvent {
    pub(crate) sequence: i64,
    pub(crate) topic: String,
    pub(crate) key: String,
    pub(crate) payload: String,
}

/// Writes an event, in the transaction that makes it true. Events of one key arrive in the order in which they were written.
pub(crate) async fn record(
    connection: &mut AnyConnection,
    event_id: Uuid,
    topic: &str,
    key: &str,
    event: &(impl Serialize + Sync),
) -> sqlx::Result<()> {
    let payload = serde_json::to_string(event).map_err(|error| sqlx::Error::Encode(error.into()))?;
    sqlx::query(
        "INSERT INTO outbox (event_id, topic, message_key, payload, created_at) VALUES ($1, $2, $3, $4, $5)",
    )
    .bind(event_id.to_string())
    .bind(topic.to_owned())
    .bind(key.to_owned())
    .bind(payload)
    .bind(now_in_milliseconds())
    .execute(connection)
    .await
    .map(drop)
}

/// Events that one relay has taken, oldest first. Dropped unmarked, they are pending again.
#[derive(Debug)]
pub(crate) struct Claim<'a> {
    database: &'a Database,
    lock: Option<Transaction<'static, Any>>,
    events: Vec<PendingEvent>,
}

/// Takes up to `most` pending events.
///
/// On `PostgreSQL` the rows stay locked until the claim is marked or dropped, and another replica's relay passes over them
/// (`SKIP LOCKED`, R-SHUT-SCHED-3). An `SQLite` file serves one process with one relay, and a lock would keep every
/// request waiting while the broker answers, so there the rows are only read.
pub(crate) async fn claim(database: &Database, most: u16) -> sqlx::Result<Claim<'_>> {
    match database.dialect() {
        Dialect::Postgres => {
            let mut transaction = database.begin().await?;
            let events = pending(&mut transaction, CLAIM_WITH_LOCK, most).await?;
            Ok(Claim { database, lock: Some(transaction), events })
        }
        Dialect::Sqlite => {
            let events = pending(&mut *database.reader().await?, CLAIM, most).await?;
            Ok(Claim { database, lock: None, events })
        }
    }
}

pub(crate) const CLAIM: &str = "SELECT sequence, topic, message_key, payload FROM outbox WHERE published_at IS NULL ORDER BY sequence LIMIT $1";
pub(crate) const CLAIM_WITH_LOCK: &str = "SELECT sequence, topic, message_key, payload FROM outbox WHERE published_at IS NULL \
     ORDER BY sequence LIMIT $1 FOR UPDATE SKIP LOCKED";

async fn pending(
    connection: &mut AnyConnection,
    statement: &'static str,
    most: u16,
) -> sqlx::Result<Vec<PendingEvent>> {
    let rows: Vec<(i64, String, String, String)> =
        sqlx::query_as(statement).bind(i64::from(most)).fetch_all(connection).await?;
    Ok(rows
        .into_iter()
        .map(|(sequence, topic, key, payload)| PendingEvent { sequence, topic, key, payload })
        .collect())
}

impl Claim<'_> {
    pub(crate) fn events(&self) -> &[PendingEvent] {
        &self.events
    }

    /// Marks what the broker has confirmed; the rest of the claim is pending again.
    pub(crate) async fn mark_published(self, sequences: &[i64]) -> sqlx::Result<()> {
        let mut transaction = match self.lock {
            Some(transaction) => transaction,
            None => self.database.begin().await?,
        };
        if !sequences.is_empty() {
            let statement = format!(
                "UPDATE outbox SET published_at = $1 WHERE published_at IS NULL AND sequence IN ({})",
                database::values(2, sequences.len())
            );
            let update = sqlx::query(AssertSqlSafe(statement)).bind(now_in_milliseconds());
            let update = sequences.iter().fold(update, |update, sequence| update.bind(*sequence));
            update.execute(&mut *transaction).await?;
        }
        transaction.commit().await
    }
}
