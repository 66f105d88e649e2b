//! Clients that read slowly, or not at all: an answer is in flight until the last of it was written.

use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Bytes;
use axum::routing::get;
use shutdown_runtime::{Outcome, http};
use tokio::io::AsyncReadExt as _;
use tokio::time::sleep;

use crate::client::Client;
use crate::http2::{connect, request};
use crate::server::{Served, counted, web_with};

/// More than all buffers on the way hold.
const LARGE: usize = 24 << 20;
/// Far shorter than it takes to read that.
const SHORT: Duration = Duration::from_millis(200);

async fn serving() -> Served {
    let large = get(async || Bytes::from(vec![b'x'; LARGE]));
    let limits = http::Server::new().header_read_time(SHORT).idle_time(SHORT * 2);
    web_with(limits, Router::new().route("/large", large)).await
}

/// Reads all, at about 24 MB a second.
async fn read_slowly(client: &mut Client) -> usize {
    let mut space = vec![0; 1 << 20];
    let mut amount = 0;
    while amount < LARGE {
        match client.0.read(&mut space).await {
            Ok(0) | Err(_) => break,
            Ok(read) => amount += read,
        }
        sleep(Duration::from_millis(40)).await;
    }
    amount
}

/// As [`read_slowly`], over HTTP/2: gives window back for what it read.
async fn read_stream_slowly(mut body: h2::RecvStream) -> usize {
    let mut amount = 0;
    while let Some(Ok(piece)) = body.data().await {
        amount += piece.len();
        body.flow_control().release_capacity(piece.len()).unwrap();
        if amount % (1 << 20) < piece.len() {
            sleep(Duration::from_millis(40)).await;
        }
    }
    amount
}

#[tokio::test]
async fn a_slow_reader_is_not_idle() {
    let served = serving().await;
    let mut client = Client::connect(served.address).await.unwrap();
    client.send("GET /large HTTP/1.1\r\nhost: test\r\n\r\n").await.unwrap();
    client.head().await.unwrap();
    let (mut requests, _connection) = connect(&served).await;
    let body = requests.send_request(request("/large"), true).unwrap().0.await.unwrap().into_body();
    let (first, second) = tokio::join!(read_slowly(&mut client), read_stream_slowly(body));
    assert_eq!((first, second), (LARGE, LARGE));
    assert!(served.stop().await.0.is_clean());
}

#[tokio::test]
async fn a_slow_reader_has_its_answer_through_a_stop() {
    let served = serving().await;
    let mut client = Client::connect(served.address).await.unwrap();
    client.send("GET /large HTTP/1.1\r\nhost: test\r\n\r\n").await.unwrap();
    client.head().await.unwrap();
    let (mut requests, _connection) = connect(&served).await;
    let body = requests.send_request(request("/large"), true).unwrap().0.await.unwrap().into_body();
    served.request();
    let reading = async { tokio::join!(read_slowly(&mut client), read_stream_slowly(body)) };
    let ((report, took), read) = tokio::join!(served.stopped(), reading);
    assert_eq!(read, (LARGE, LARGE));
    assert!(took > SHORT * 2, "nobody read slowly: {took:?}");
    assert!(report.is_clean());
    assert_eq!((counted(&report, "completed"), counted(&report, "cut")), (2, 0));
}

#[tokio::test]
async fn what_http_2_clients_give_no_window_for_is_cut_at_the_budget() {
    let served = serving().await;
    let (mut requests, _connection) = connect(&served).await;
    let body = requests.send_request(request("/large"), true).unwrap().0.await.unwrap().into_body();
    sleep(SHORT * 3).await;
    let (report, took) = served.stop().await;
    assert!(took >= Duration::from_millis(1_900), "{took:?}");
    assert_eq!(report.member("api").unwrap().outcome, Outcome::TimedOut);
    assert_eq!((counted(&report, "completed"), counted(&report, "cut")), (0, 1));
    assert_eq!(counted(&report, "refused"), 0);
    drop(body);
}

#[tokio::test]
async fn a_client_that_takes_nothing_is_cut_after_the_idle_time() {
    for stops in [false, true] {
        let served = serving().await;
        let mut client = Client::connect(served.address).await.unwrap();
        client.send("GET /large HTTP/1.1\r\nhost: test\r\n\r\n").await.unwrap();
        client.head().await.unwrap();
        let began = Instant::now();
        if stops {
            let (report, took) = served.stop().await;
            assert!(took >= SHORT && took < Duration::from_millis(1_500), "{took:?}");
            assert!(report.is_clean());
            assert_eq!((counted(&report, "completed"), counted(&report, "cut")), (0, 1));
        } else {
            sleep(SHORT * 4).await;
            assert!(client.closed().await.len() < LARGE);
            assert!(began.elapsed() < Duration::from_secs(5));
            assert!(served.stop().await.0.is_clean());
        }
    }
}

#[tokio::test]
async fn limits_that_no_clock_can_hold_are_none() {
    // With the shorter one the connection's timer comes while a request is in flight.
    for head in [Duration::MAX, SHORT] {
        let limits = http::Server::new()
            .header_read_time(head)
            .idle_time(Duration::MAX)
            .max_request_time(Duration::MAX)
            .max_connections(u32::MAX);
        let served = web_with(limits, crate::server::routes()).await;
        let mut client = Client::connect(served.address).await.unwrap();
        assert_eq!(client.get("/").await.unwrap().body, "hello");
        assert_eq!(client.get("/slow").await.unwrap().body, "slow");
        assert!(served.stop().await.0.is_clean());
    }
}
