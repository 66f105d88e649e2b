//! A small database in memory: a pool of connections, each statement a round trip, and transactions that are kept on the
//! server's side of the connection, as they are in a real one.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use shutdown_runtime::resource;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::sleep;

/// What was committed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tables {
    pub(crate) seen: BTreeSet<u32>,
    pub(crate) effects: Vec<u32>,
}

#[resource(close = close_database, budget = "60s")]
#[derive(Debug)]
pub(crate) struct Database {
    tables: Arc<Mutex<Tables>>,
    /// The server's side of each idle connection: whether a transaction is open on it.
    idle: Arc<Mutex<Vec<bool>>>,
    pool: Arc<Semaphore>,
    connections: u32,
    round_trip: Duration,
}

/// Waits until every connection is back, as pools do.
async fn close_database(database: &Database) {
    let _all = database.pool.acquire_many(database.connections).await;
    database.pool.close();
}

impl Database {
    pub(crate) fn new(connections: u32, round_trip: Duration) -> Self {
        Self::of(&Arc::default(), connections, round_trip)
    }

    /// A process's pool: its connections end with it, and the server rolls back what was open on them.
    pub(crate) fn of(tables: &Arc<Mutex<Tables>>, connections: u32, round_trip: Duration) -> Self {
        Self {
            tables: Arc::clone(tables),
            idle: Arc::new(Mutex::new(vec![false; connections as usize])),
            pool: Arc::new(Semaphore::new(connections as usize)),
            connections,
            round_trip,
        }
    }

    pub(crate) fn tables(&self) -> Arc<Mutex<Tables>> {
        Arc::clone(&self.tables)
    }

    async fn connection(&self) -> Connection {
        let permit = Arc::clone(&self.pool).acquire_owned().await.unwrap();
        let open = self.idle.lock().unwrap().pop().unwrap();
        Connection { open, depth: 0, idle: Arc::clone(&self.idle), _permit: permit }
    }

    /// Begins a transaction. The depth is raised only after the round trip, as in the driver of which row 57 tells: dropped in
    /// between, the connection goes back with a transaction that nobody will roll back.
    pub(crate) async fn begin(&self) -> Result<Transaction, &'static str> {
        let mut connection = self.connection().await;
        if connection.open {
            return Err("there is already a transaction in progress");
        }
        connection.open = true;
        sleep(self.round_trip).await;
        connection.depth = 1;
        let written = Tables::default();
        Ok(Transaction { connection, written, tables: Arc::clone(&self.tables), round_trip: self.round_trip })
    }
}

/// A connection that is lent; dropped, it goes back to the pool.
#[derive(Debug)]
struct Connection {
    /// The server's side.
    open: bool,
    /// The client's side.
    depth: u32,
    idle: Arc<Mutex<Vec<bool>>>,
    _permit: OwnedSemaphorePermit,
}

impl Drop for Connection {
    fn drop(&mut self) {
        // The guard rolls back what it knows of.
        if self.depth > 0 {
            self.open = false;
        }
        self.idle.lock().unwrap().push(self.open);
    }
}

/// A transaction; dropped without a commit, it is rolled back.
#[derive(Debug)]
pub(crate) struct Transaction {
    connection: Connection,
    written: Tables,
    tables: Arc<Mutex<Tables>>,
    round_trip: Duration,
}

impl Transaction {
    /// Notes a message as seen; `false` if it was.
    pub(crate) async fn insert_seen(&mut self, message: u32) -> bool {
        sleep(self.round_trip).await;
        !self.tables.lock().unwrap().seen.contains(&message) && self.written.seen.insert(message)
    }

    pub(crate) async fn insert_effect(&mut self, message: u32) {
        sleep(self.round_trip).await;
        self.written.effects.push(message);
    }

    pub(crate) async fn commit(mut self) {
        sleep(self.round_trip).await;
        let mut tables = self.tables.lock().unwrap();
        tables.seen.append(&mut self.written.seen);
        tables.effects.append(&mut self.written.effects);
        drop(tables);
        self.connection.open = false;
    }
}
