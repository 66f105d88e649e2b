//! A service with sessions on a database server, which counts those that end without a word (field report 25).

use std::io::{self, Write as _};

use shutdown_runtime::{Resource, Shutdown, background_task, resource, shutdown_plan};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::Mutex;

/// How many sessions the pool holds.
const SESSIONS: usize = 3;

/// Says goodbye on each session, and waits until the server has closed its end: who exits earlier may cut it off.
#[resource(close = close_pool, budget = "3s")]
struct Pool(Vec<Mutex<TcpStream>>);

async fn close_pool(pool: &Pool) -> io::Result<()> {
    for session in &pool.0 {
        let mut session = session.lock().await;
        session.write_all(b"QUIT\n").await?;
        session.shutdown().await?;
        session.read_to_end(&mut Vec::new()).await?;
    }
    Ok(())
}

/// Asks something all the time, also in the moment of the stop.
#[background_task(every = "1ms", budget = "2s")]
async fn asks(pool: &Pool, number: &mut usize) -> io::Result<()> {
    *number += 1;
    let mut session = pool.0[*number % SESSIONS].lock().await;
    session.write_all(b"SELECT\n").await?;
    session.read_u8().await.map(drop)
}

#[background_task(budget = "1s")]
async fn says_when_it_started(shutdown: Shutdown) {
    let mut stdout = io::stdout();
    let _ = writeln!(stdout, "started").and_then(|()| stdout.flush());
    shutdown.requested().await;
}

#[shutdown_plan(budget = "12s")]
struct Service {
    work: (asks, says_when_it_started),
    storage: Resource<Pool>,
}

#[shutdown_runtime::main(worker_threads = 2)]
async fn main() -> io::Result<Service> {
    let server = std::env::var("SERVER").map_err(io::Error::other)?;
    let mut sessions = Vec::new();
    for _ in 0..SESSIONS {
        sessions.push(Mutex::new(TcpStream::connect(&server).await?));
    }
    let pool = Resource::new(Pool(sessions));
    Ok(Service { work: (asks(&pool, 0), says_when_it_started()), storage: pool })
}
