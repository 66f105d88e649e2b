//! The smallest whole service: an HTTP API, a periodic flush, and the journal that both use.
//!
//! `cargo run -p quickstart`, then `curl -d "hello" localhost:3000/lines` and `curl localhost:3000/lines`, then Ctrl-C.

use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};

use axum::Router;
use axum::extract::State;
use axum::routing::get;
use shutdown_runtime::{Lease, Resource, Shutdown, background_task, http, resource, shutdown_plan};
use tokio::fs::{File, OpenOptions};
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpListener;

/// Lines that were accepted over HTTP: first in memory, then in a file.
#[resource(close = Journal::flush, budget = "2s")]
struct Journal {
    pending: Mutex<Vec<String>>,
    file: tokio::sync::Mutex<File>,
}

impl Journal {
    async fn open(path: &str) -> io::Result<Self> {
        let file = OpenOptions::new().create(true).append(true).open(path).await?;
        Ok(Self { pending: Mutex::default(), file: tokio::sync::Mutex::new(file) })
    }

    fn pending(&self) -> MutexGuard<'_, Vec<String>> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes what is pending; what could not be written stays pending.
    async fn flush(&self) -> io::Result<()> {
        let mut file = self.file.lock().await;
        let lines = self.pending().clone();
        if lines.is_empty() {
            return Ok(());
        }
        file.write_all((lines.join("\n") + "\n").as_bytes()).await?;
        file.sync_data().await?;
        self.pending().drain(..lines.len());
        Ok(())
    }
}

/// An iteration is never cut short by a stop, and none starts after one.
#[background_task(every = "500ms", budget = "2s")]
async fn flush_journal(journal: &Journal) -> io::Result<()> {
    journal.flush().await
}

#[background_task(budget = "10s")]
async fn http_api(listener: TcpListener, journal: Lease<Journal>, shutdown: Shutdown) -> io::Result<()> {
    let routes = Router::new().route("/lines", get(read).post(accept)).with_state(journal);
    http::serve(listener, routes, &shutdown).await
}

async fn accept(State(journal): State<Lease<Journal>>, line: String) -> String {
    journal.pending().push(line.replace('\n', " "));
    String::from("accepted\n")
}

async fn read(State(journal): State<Lease<Journal>>) -> String {
    format!("pending lines: {}\n", journal.pending().len())
}

/// Stops from top to bottom. Move `journal` up, and it does not compile.
#[shutdown_plan(budget = "30s", pre_stop = "5s")]
struct Quickstart {
    ingress: http_api,
    workers: flush_journal,
    journal: Resource<Journal>,
}

#[shutdown_runtime::main]
async fn main() -> Result<Quickstart, String> {
    tracing_subscriber::fmt().with_writer(io::stderr).init();
    let address = std::env::var("QUICKSTART_ADDRESS").unwrap_or_else(|_| String::from("127.0.0.1:3000"));
    let path = std::env::var("QUICKSTART_JOURNAL").unwrap_or_else(|_| String::from("quickstart.journal"));
    let journal = Journal::open(&path).await.map_err(|error| format!("the journal {path}: {error}"))?;
    let journal = Resource::new(journal);
    let listener = TcpListener::bind(&address)
        .await
        .map_err(|error| format!("QUICKSTART_ADDRESS={address}: {error}"))?;
    println!("listening on http://{address}, writing to {path}");
    Ok(Quickstart { ingress: http_api(listener, journal.lease()), workers: flush_journal(&journal), journal })
}
