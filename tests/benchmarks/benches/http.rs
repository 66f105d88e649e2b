//! `shutdown_runtime::http` beside plain `axum::serve`, in turns, server and load in processes of their own.
//!
//! `cargo bench -p shutdown-benchmarks --bench http`; `-- 2000` for so many idle connections instead of 10,000. Prints
//! requests per second at 64 keep-alive connections with the median of the pairs' ratios, memory for each idle connection,
//! and how long idle ones take to drain, beside hyper's connections by hand and beside a bare close. Needs a limit of open files (`ulimit -n`) above the
//! number of connections.
//!
//! For an instruction counter the parts run alone: `-- server http::serve` serves until a line comes in, at the port that
//! it prints, and `-- load PORT 1000` asks a thousand times on each connection.

use std::future::IntoFuture as _;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::pin::pin;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use axum::Router;
use axum::routing::get;
use futures_util::future::{Either, select};
use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;
use shutdown_runtime::{Shutdown, background_task, http, shutdown_plan, testing};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

const KINDS: [&str; 2] = ["axum::serve", "http::serve"];
const ROUNDS: usize = 21;
/// In turns as well.
const DRAINS: usize = 8;
const ROUND: Duration = Duration::from_secs(1);
const BUSY: usize = 64;
const IDLE: usize = 10_000;

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["server", kind] => runtime()?.block_on(server(kind)),
        ["load", port] => runtime()?.block_on(load(port, None)),
        ["load", port, count] => {
            runtime()?.block_on(load(port, Some(count.parse().map_err(io::Error::other)?)))
        }
        ["idle", port, count] => runtime()?.block_on(idle(port, count)),
        [] => compare(IDLE),
        [count] => compare(count.parse().map_err(io::Error::other)?),
        _ => Err(io::Error::other("no such arguments")),
    }
}

fn runtime() -> io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()
}

fn routes() -> Router {
    Router::new().route("/", get(async || "hello"))
}

#[background_task(budget = "20s")]
async fn api(listener: TcpListener, shutdown: Shutdown) -> io::Result<()> {
    http::serve(listener, routes(), &shutdown).await
}

#[shutdown_plan(budget = "60s")]
struct Service {
    ingress: api,
}

/// Waits for its parent's line, without a thread of tokio's that would delay the end.
async fn told() {
    let (tell, told) = tokio::sync::oneshot::channel();
    std::thread::spawn(move || {
        let _ = io::stdin().read_line(&mut String::new());
        let _ = tell.send(());
    });
    let _ = told.await;
}

/// Serves until told, and prints how many microseconds the end took.
async fn server(kind: &str) -> io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("{}", listener.local_addr()?.port());
    let took = match kind {
        "http::serve" => {
            let running = testing::start(Service { ingress: api(listener) }).map_err(io::Error::other)?;
            told().await;
            let began = Instant::now();
            running.handle().request_now("the benchmark");
            running.stopped().await;
            began.elapsed()
        }
        "axum::serve" => {
            let (stop, stopping) = tokio::sync::oneshot::channel::<()>();
            let serving = axum::serve(listener, routes()).with_graceful_shutdown(async {
                let _ = stopping.await;
            });
            let serving = tokio::spawn(serving.into_future());
            told().await;
            let began = Instant::now();
            let _ = stop.send(());
            serving.await.map_err(io::Error::other)??;
            began.elapsed()
        }
        "hyper" => hyper_by_hand(listener).await?,
        _ => closed_by_hand(listener).await?,
    };
    println!("{}", took.as_micros());
    Ok(())
}

/// The same drain written by hand: hyper's connections, each a tracked task that a token tells to finish.
async fn hyper_by_hand(listener: TcpListener) -> io::Result<Duration> {
    let (token, tracker, mut told) = (CancellationToken::new(), TaskTracker::new(), pin!(told()));
    while let Either::Right((accepted, _)) = select(told.as_mut(), pin!(listener.accept())).await {
        let service = TowerToHyperService::new(routes());
        let connection = http1::Builder::new().serve_connection(TokioIo::new(accepted?.0), service);
        let token = token.clone();
        tracker.spawn(async move {
            let mut connection = pin!(connection);
            if let Either::Right(_) = select(connection.as_mut(), pin!(token.cancelled())).await {
                connection.as_mut().graceful_shutdown();
                let _ = connection.await;
            }
        });
    }
    let began = Instant::now();
    drop(listener);
    token.cancel();
    tracker.close();
    tracker.wait().await;
    Ok(began.elapsed())
}

/// What no drain can beat: answers each connection once, and drops them all.
async fn closed_by_hand(listener: TcpListener) -> io::Result<Duration> {
    let (mut streams, mut told) = (Vec::new(), pin!(told()));
    while let Either::Right((accepted, _)) = select(told.as_mut(), pin!(listener.accept())).await {
        let (mut stream, _) = accepted?;
        let _ = stream.read(&mut [0; 1024]).await?;
        stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello").await?;
        streams.push(stream);
    }
    let began = Instant::now();
    drop(streams);
    Ok(began.elapsed())
}

async fn ask(stream: &mut TcpStream) -> io::Result<()> {
    stream.write_all(b"GET / HTTP/1.1\r\nhost: benchmark\r\n\r\n").await?;
    let (mut answer, mut length) = ([0; 1024], 0);
    while !answer[..length].ends_with(b"hello") {
        match stream.read(&mut answer[length..]).await? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            more => length += more,
        }
    }
    Ok(())
}

/// Asks on all connections for one round, or so many times on each, and prints how many answers there were.
async fn load(port: &str, count: Option<u64>) -> io::Result<()> {
    let began = Instant::now();
    let mut clients = Vec::new();
    for _ in 0..BUSY {
        let mut stream = TcpStream::connect(format!("127.0.0.1:{port}")).await?;
        clients.push(tokio::spawn(async move {
            let mut answers = 0_u64;
            while count.map_or_else(|| began.elapsed() < ROUND, |count| answers < count) {
                ask(&mut stream).await?;
                answers += 1;
            }
            Ok::<_, io::Error>(answers)
        }));
    }
    let mut answers = 0;
    for client in clients {
        answers += client.await.map_err(io::Error::other)??;
    }
    println!("{answers}");
    Ok(())
}

/// Asks once on each connection, says so, and keeps them open until told.
async fn idle(port: &str, count: &str) -> io::Result<()> {
    let mut streams = Vec::new();
    for _ in 0..count.parse().map_err(io::Error::other)? {
        let mut stream = TcpStream::connect(format!("127.0.0.1:{port}")).await?;
        ask(&mut stream).await?;
        streams.push(stream);
    }
    println!("{}", streams.len());
    told().await;
    Ok(())
}

/// This program in a process of its own.
struct Part {
    process: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

impl Part {
    fn start(arguments: &[&str]) -> io::Result<Self> {
        let mut command = Command::new(std::env::current_exe()?);
        let mut process = command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        match (process.stdin.take(), process.stdout.take()) {
            (Some(to), Some(from)) => Ok(Self { process, to, from: BufReader::new(from) }),
            _ => Err(io::Error::other("the process has no pipes")),
        }
    }

    fn line(&mut self) -> io::Result<String> {
        let mut line = String::new();
        self.from.read_line(&mut line)?;
        Ok(line.trim().to_owned())
    }

    fn number(&mut self) -> io::Result<u64> {
        self.line()?.parse().map_err(io::Error::other)
    }

    fn tell(&mut self) -> io::Result<()> {
        self.to.write_all(b"\n")
    }

    /// Kilobytes that are resident.
    fn memory(&self) -> io::Result<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let number = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
        number.ok_or_else(|| io::Error::other("no VmRSS"))
    }

    fn end(mut self) -> io::Result<()> {
        drop(self.to);
        self.process.wait().map(drop)
    }
}

/// Requests in one round.
fn requests(kind: &str) -> io::Result<u64> {
    let mut server = Part::start(&["server", kind])?;
    let port = server.line()?;
    let mut load = Part::start(&["load", &port])?;
    let answers = load.number()?;
    load.end()?;
    server.tell()?;
    server.end()?;
    Ok(answers)
}

/// Bytes for each idle connection, and microseconds until all are gone.
fn idle_connections(kind: &str, count: usize) -> io::Result<(u64, u64)> {
    let mut server = Part::start(&["server", kind])?;
    let port = server.line()?;
    let before = server.memory()?;
    let mut idle = Part::start(&["idle", &port, &count.to_string()])?;
    let open = idle.number()?;
    let memory = server.memory()?.saturating_sub(before) * 1024 / open.max(1);
    server.tell()?;
    let took = server.number()?;
    server.end()?;
    idle.end()?;
    Ok((memory, took))
}

fn median(mut numbers: Vec<u64>) -> u64 {
    numbers.sort_unstable();
    numbers[numbers.len() / 2]
}

fn compare(count: usize) -> io::Result<()> {
    let mut answers = [Vec::new(), Vec::new()];
    for round in 0..ROUNDS {
        for turn in 0..KINDS.len() {
            // Who is first changes from round to round.
            let which = (round + turn) % KINDS.len();
            answers[which].push(requests(KINDS[which])?);
        }
    }
    let [axum, ours] = &answers;
    let permille = |(ours, axum): (&u64, &u64)| ours * 1_000 / axum.max(&1);
    let ratio = median(ours.iter().zip(axum).map(permille).collect());
    for (kind, answers) in KINDS.into_iter().zip(answers) {
        let each = median(answers.clone()) / ROUND.as_secs();
        println!("{kind:<12} {each:>8} requests/s at {BUSY} connections, rounds {answers:?}");
    }
    println!(
        "requests/s beside axum::serve: {}.{:03} x (median of {ROUNDS} pairs)",
        ratio / 1_000,
        ratio % 1_000
    );
    let kinds = [KINDS[0], KINDS[1], "hyper", "bare close"];
    let mut measured = kinds.map(|_| Vec::new());
    for round in 0..DRAINS {
        for turn in 0..kinds.len() {
            let which = (round + turn) % kinds.len();
            measured[which].push(idle_connections(kinds[which], count)?);
        }
    }
    for (kind, measured) in kinds.into_iter().zip(measured) {
        let (memory, took): (Vec<_>, Vec<_>) = measured.into_iter().unzip();
        println!(
            "{kind:<12} {:>8} bytes for each of {count} idle connections, {:>8} µs to drain, rounds {took:?}",
            median(memory),
            median(took.clone()),
        );
    }
    Ok(())
}
