//! A thousand stops under load: nothing of which the server has read a byte, or that a handler has begun, goes without its
//! whole answer.

use std::collections::{HashMap, HashSet};
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::Router;
use axum::extract::{Path, State};
use axum::routing::get;
use shutdown_runtime::{Plan, Shutdown, background_task, http, shutdown_plan, testing};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::sleep;

use crate::client::Client;
use crate::http2::{answer, request};
use crate::server::api;

/// Stops in all, half of them over each way to serve; `HTTP_STOPS` sets another number.
const STOPS: u64 = 1_000;
/// Clients of each protocol that ask without a pause.
const CLIENTS: u64 = 12;

/// What the server saw, by the client's port, and by the number of the request.
#[derive(Clone, Debug, Default)]
struct Seen {
    bytes: Arc<Mutex<HashMap<u16, Arc<AtomicU64>>>>,
    begun: Arc<Mutex<HashSet<u64>>>,
}

impl Seen {
    fn bytes_of(&self, port: u16) -> Arc<AtomicU64> {
        Arc::clone(self.bytes.lock().unwrap().entry(port).or_default())
    }
}

/// Counts the bytes that the server reads.
struct Counted(TcpStream, Arc<AtomicU64>);

impl AsyncRead for Counted {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.0).poll_read(context, buffer))?;
        self.1.fetch_add((buffer.filled().len() - before) as u64, Ordering::SeqCst);
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Counted {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<std::io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}

/// Accepts by itself, so that the bytes can be counted.
#[background_task(budget = "5s")]
async fn counting_api(
    listener: TcpListener,
    routes: Router,
    seen: Seen,
    shutdown: Shutdown,
) -> std::io::Result<()> {
    let connections = http::Server::new().connections(routes, &shutdown);
    while let Some(accepted) = shutdown.run_until_requested(listener.accept()).await {
        let (stream, peer) = accepted?;
        let _ = connections.serve(Counted(stream, seen.bytes_of(peer.port())));
    }
    drop(listener);
    connections.drained().await;
    Ok(())
}

#[shutdown_plan(budget = "60s")]
struct Counting {
    ingress: counting_api,
}

#[shutdown_plan(budget = "60s")]
struct Serving {
    ingress: api,
}

fn routes(seen: &Seen) -> Router {
    let route = get(async |State(seen): State<Seen>, Path(number): Path<u64>| {
        seen.begun.lock().unwrap().insert(number);
        if number.is_multiple_of(3) {
            sleep(Duration::from_micros(number % 7 * 300)).await;
        }
        // Long enough for several writes, now and then.
        number.to_string().repeat(if number.is_multiple_of(17) { 20_000 } else { 1 })
    });
    Router::new().route("/{number}", route).with_state(seen.clone())
}

fn is_whole(number: u64, body: &str) -> bool {
    let number = number.to_string();
    body.len().is_multiple_of(number.len()) && body.starts_with(&number)
}

/// What became of a client's requests.
#[derive(Default)]
struct Asked {
    answered: Vec<u64>,
    /// The last of each connection, which had no answer: the client's port, and how many bytes of before were answered for.
    failed: Vec<(u16, u64)>,
}

/// Asks until nobody accepts, each head in up to two pieces.
async fn asks(address: SocketAddr, client: u64) -> Asked {
    let mut asked = Asked::default();
    let mut number = client << 32;
    while let Ok(mut connection) = Client::connect(address).await {
        let port = connection.0.local_addr().unwrap().port();
        let mut sent = 0;
        loop {
            number += 1;
            let head = format!("GET /{number} HTTP/1.1\r\nhost: test\r\n\r\n");
            let cut = if fastrand::bool() { head.len() } else { fastrand::usize(1..head.len()) };
            let sending = async {
                connection.send(&head[..cut]).await?;
                if cut < head.len() {
                    sleep(Duration::from_micros(fastrand::u64(0..500))).await;
                    connection.send(&head[cut..]).await?;
                }
                connection.answer().await
            };
            match sending.await {
                Ok(answer) if is_whole(number, &answer.body) => {
                    asked.answered.push(number);
                    sent += head.len() as u64;
                    if answer.says_close() {
                        break;
                    }
                }
                _ => {
                    asked.failed.push((port, sent));
                    break;
                }
            }
        }
    }
    asked
}

/// Asks four at a time over one connection of HTTP/2.
async fn asks_streams(address: SocketAddr, client: u64) -> Asked {
    let mut asked = Asked::default();
    let mut number = client << 32;
    let Ok(stream) = TcpStream::connect(address).await else { return asked };
    let Ok((mut requests, connection)) = h2::client::handshake(stream).await else { return asked };
    let connection = tokio::spawn(connection);
    while let Ok(ready) = requests.ready().await {
        requests = ready;
        let mut streams = Vec::new();
        for _ in 0..4 {
            number += 1;
            if let Ok((response, _)) = requests.send_request(request(&format!("/{number}")), true) {
                streams.push(async move { (number, answer(response).await) });
            }
        }
        for (number, answer) in futures_util::future::join_all(streams).await {
            if answer.is_ok_and(|body| is_whole(number, &String::from_utf8_lossy(&body))) {
                asked.answered.push(number);
            }
        }
    }
    let _ = connection.await;
    asked
}

async fn one_stop<P: Plan>(
    plan: P,
    address: SocketAddr,
    seen: &Seen,
    counts_bytes: bool,
    stop: u64,
) -> usize {
    let running = testing::start(plan).unwrap();
    let singles = (0..CLIENTS).map(|client| tokio::spawn(asks(address, client)));
    let streams = (CLIENTS..CLIENTS + 2).map(|client| tokio::spawn(asks_streams(address, client)));
    let clients: Vec<_> = singles.chain(streams).collect();
    sleep(Duration::from_micros(fastrand::u64(0..30_000))).await;
    running.handle().request_now("the test");
    let report = running.stopped().await;
    assert!(report.is_clean(), "stop {stop}: {report}");
    assert_eq!(report.members().map(|member| member.counter("cut")).sum::<u64>(), 0, "stop {stop}: {report}");
    let mut answered = HashSet::new();
    for client in clients {
        let asked = client.await.unwrap();
        answered.extend(asked.answered);
        for (port, sent) in asked.failed {
            let read = seen.bytes_of(port).load(Ordering::SeqCst);
            assert!(!counts_bytes || read <= sent, "stop {stop}: {} bytes read went unanswered", read - sent);
        }
    }
    let begun = seen.begun.lock().unwrap();
    let lost: Vec<_> = begun.difference(&answered).collect();
    assert!(lost.is_empty(), "stop {stop}: handlers began {lost:?}, and nobody has their answers");
    answered.len()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_stops_under_load_leave_nothing_that_was_read_unanswered() {
    let stops = std::env::var("HTTP_STOPS").map_or(STOPS, |stops| stops.parse().expect("a number of stops"));
    let random = fastrand::u64(..);
    eprintln!("seed {random}");
    fastrand::seed(random);
    let mut answered = 0;
    for stop in 0..stops {
        let seen = Seen::default();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        answered += if stop.is_multiple_of(2) {
            let plan = Counting { ingress: counting_api(listener, routes(&seen), seen.clone()) };
            one_stop(plan, address, &seen, true, stop).await
        } else {
            let plan = Serving { ingress: api(listener, routes(&seen), http::Server::new()) };
            one_stop(plan, address, &seen, false, stop).await
        };
    }
    eprintln!("{answered} requests answered over {stops} stops");
    assert!(answered as u64 > stops * 10, "that was no load: {answered} answers");
}
