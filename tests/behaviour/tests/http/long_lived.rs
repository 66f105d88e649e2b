//! Streams without an end, web sockets, and what handlers still hold.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::routing::{any, get};
use shutdown_runtime::{Lease, Outcome, Resource, Shutdown, background_task, http, resource, shutdown_plan};
use tokio::io::AsyncReadExt as _;
use tokio::net::TcpListener;
use tokio::time::sleep;

use crate::client::Client;
use crate::server::{Served, counted, listen, start, web};

/// A body whose pieces never end, unless `shutdown` says so.
fn ticks(shutdown: Option<Shutdown>) -> Body {
    let stream = futures_util::stream::unfold(shutdown, async |shutdown| {
        let goes_on = match &shutdown {
            Some(shutdown) => shutdown.sleep(Duration::from_millis(50)).await,
            None => {
                sleep(Duration::from_millis(50)).await;
                true
            }
        };
        goes_on.then_some((Ok::<_, std::io::Error>("data: tick\n\n"), shutdown))
    });
    Body::from_stream(stream)
}

#[tokio::test]
async fn row_5_an_endless_stream_is_cut_at_the_budget_not_before() {
    let served = web(Router::new().route("/", get(async || ticks(None)))).await;
    let mut client = Client::connect(served.address).await.unwrap();
    client.send("GET / HTTP/1.1\r\nhost: test\r\n\r\n").await.unwrap();
    client.head().await.unwrap();
    let (report, took) = served.stop().await;
    assert!(took >= Duration::from_millis(1_900) && took < Duration::from_secs(4), "{took:?}");
    assert_eq!(report.member("api").unwrap().outcome, Outcome::TimedOut);
    assert_eq!(report.member("later").unwrap().outcome, Outcome::Completed);
    assert_eq!((counted(&report, "cut"), counted(&report, "completed")), (1, 0));
    assert!(report.to_string().contains("TimedOut, 1 cut"), "{report}");
    client.closed().await;
}

#[tokio::test]
async fn row_5_a_stream_that_takes_the_shutdown_ends_by_itself() {
    let route = get(async |shutdown: Shutdown| ticks(Some(shutdown)));
    let served = web(Router::new().route("/", route)).await;
    let mut client = Client::connect(served.address).await.unwrap();
    client.send("GET / HTTP/1.1\r\nhost: test\r\n\r\n").await.unwrap();
    client.head().await.unwrap();
    let (report, took) = served.stop().await;
    assert!(took < Duration::from_millis(500), "{took:?}");
    assert!(report.is_clean());
    assert_eq!(counted(&report, "completed"), 1);
    let rest = client.closed().await;
    assert!(rest.ends_with(b"0\r\n\r\n"), "the stream was not ended, but broken off");
}

/// Rows of a database; a write after its close is what must never be.
#[resource(close = close_rows, budget = "2s")]
struct Rows {
    written: AtomicU64,
    closed: Arc<AtomicBool>,
    late: Arc<AtomicU64>,
}

impl Rows {
    fn write(&self) {
        self.written.fetch_add(1, Ordering::SeqCst);
        if self.closed.load(Ordering::SeqCst) {
            self.late.fetch_add(1, Ordering::SeqCst);
        }
    }
}

async fn close_rows(rows: &Rows) {
    rows.closed.store(true, Ordering::SeqCst);
}

#[background_task(budget = "1s")]
async fn socket_api(listener: TcpListener, rows: Lease<Rows>, shutdown: Shutdown) -> std::io::Result<()> {
    let polite = {
        let rows = rows.clone();
        any(async move |upgrade: WebSocketUpgrade, shutdown: Shutdown| {
            upgrade.on_upgrade(async move |socket| writes(socket, rows, Some(shutdown)).await)
        })
    };
    let deaf = {
        let rows = rows.clone();
        any(async move |upgrade: WebSocketUpgrade| {
            upgrade.on_upgrade(async move |socket| writes(socket, rows, None).await)
        })
    };
    let asks = get(async move || {
        sleep(Duration::from_millis(20)).await;
        rows.write();
    });
    let routes = Router::new().route("/polite", polite).route("/deaf", deaf).route("/asks", asks);
    http::serve(listener, routes, &shutdown).await
}

#[shutdown_plan(budget = "60s")]
struct Sockets {
    ingress: socket_api,
    storage: Resource<Rows>,
}

/// Writes a row every 50 ms, and tells the client.
async fn writes(mut socket: WebSocket, rows: Lease<Rows>, shutdown: Option<Shutdown>) {
    loop {
        let goes_on = match &shutdown {
            Some(shutdown) => shutdown.sleep(Duration::from_millis(50)).await,
            None => {
                sleep(Duration::from_millis(50)).await;
                true
            }
        };
        rows.write();
        if !goes_on {
            // The row above is the last one.
            let _ = socket.send(Message::Close(None)).await;
            return;
        }
        if socket.send(Message::text("row")).await.is_err() {
            return;
        }
    }
}

async fn sockets() -> (Served, Arc<AtomicU64>) {
    let late = Arc::new(AtomicU64::new(0));
    let rows = Rows { written: AtomicU64::new(0), closed: Arc::default(), late: Arc::clone(&late) };
    let storage = Resource::new(rows);
    let (listener, address) = listen().await;
    (start(Sockets { ingress: socket_api(listener, storage.lease()), storage }, address), late)
}

async fn upgraded(served: &Served, path: &str) -> Client {
    let mut client = Client::connect(served.address).await.unwrap();
    let request = format!(
        "GET {path} HTTP/1.1\r\nhost: test\r\nconnection: upgrade\r\nupgrade: websocket\r\n\
         sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    );
    client.send(&request).await.unwrap();
    assert!(client.head().await.unwrap().starts_with("HTTP/1.1 101"));
    let mut row = [0; 5];
    client.0.read_exact(&mut row).await.unwrap();
    assert_eq!(&row, b"\x81\x03row");
    client
}

#[tokio::test]
async fn row_6_a_websocket_sees_the_stop_and_closes_before_the_database() {
    let (served, late) = sockets().await;
    let mut client = upgraded(&served, "/polite").await;
    let (report, took) = served.stop().await;
    assert!(took < Duration::from_millis(500), "{took:?}");
    assert!(report.is_clean());
    assert_eq!(late.load(Ordering::SeqCst), 0);
    assert!(client.closed().await.ends_with(b"\x88\x00"), "no close frame");
}

#[tokio::test]
async fn row_6_a_websocket_that_ignores_the_stop_is_cut_at_the_budget_and_counted() {
    let (served, late) = sockets().await;
    let mut client = upgraded(&served, "/deaf").await;
    let (report, took) = served.stop().await;
    assert!(took >= Duration::from_millis(900) && took < Duration::from_secs(3), "{took:?}");
    let member = report.member("socket_api").unwrap();
    assert_eq!((&member.outcome, member.counter("cut")), (&Outcome::TimedOut, 1));
    assert_eq!(late.load(Ordering::SeqCst), 0, "a row was written after the close");
    assert_eq!(report.member("Rows").unwrap().outcome, Outcome::Completed);
    client.closed().await;
}

#[tokio::test]
async fn row_27_no_request_sees_a_closed_database() {
    let (served, late) = sockets().await;
    let address = served.address;
    let asking = tokio::spawn(async move {
        let mut answered = 0;
        if let Ok(mut client) = Client::connect(address).await {
            while client.get("/asks").await.is_ok() {
                answered += 1;
            }
        }
        answered
    });
    sleep(Duration::from_millis(200)).await;
    let (report, _) = served.stop().await;
    assert!(report.is_clean());
    assert!(asking.await.unwrap() > 3);
    assert_eq!(late.load(Ordering::SeqCst), 0);
}
