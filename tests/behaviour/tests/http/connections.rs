//! Connections that ask for nothing, or for half of it, and those that come late.

use std::io::{Read as _, Write as _};
use std::time::{Duration, Instant};

use axum::Router;
use axum::routing::get;
use shutdown_runtime::{Shutdown, background_task, http, shutdown_plan, testing};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream, duplex};
use tokio::sync::mpsc;
use tokio::time::sleep;

use crate::client::Client;
use crate::server::{counted, routes, start, web, web_with};

const AT_ONCE: Duration = Duration::from_millis(400);

#[tokio::test]
async fn row_1_a_silent_connection_closes_at_once() {
    let served = web(routes()).await;
    let mut silent = Client::connect(served.address).await.unwrap();
    sleep(Duration::from_millis(50)).await;
    let (report, took) = served.stop().await;
    assert!(took < AT_ONCE, "{took:?}");
    assert!(report.is_clean());
    assert_eq!(counted(&report, "refused"), 1);
    assert!(silent.closed().await.is_empty());
}

#[tokio::test]
async fn row_1_an_idle_connection_closes_at_once() {
    let served = web(routes()).await;
    let mut client = Client::connect(served.address).await.unwrap();
    assert_eq!(client.get("/").await.unwrap().body, "hello");
    let (report, took) = served.stop().await;
    assert!(took < AT_ONCE, "{took:?}");
    assert!(report.is_clean());
    assert!(client.closed().await.is_empty());
}

#[tokio::test]
async fn row_3_half_a_head_ends_at_the_header_limit() {
    let limits = http::Server::new().header_read_time(Duration::from_millis(700));
    let served = web_with(limits, routes()).await;
    let mut client = Client::connect(served.address).await.unwrap();
    client.send("GET / HTTP/1.1\r\nho").await.unwrap();
    sleep(Duration::from_millis(50)).await;
    let (report, took) = served.stop().await;
    assert!(took > AT_ONCE && took < Duration::from_millis(1_500), "{took:?}");
    assert!(report.is_clean());
    assert_eq!(counted(&report, "refused"), 1);
    assert!(client.closed().await.is_empty());
}

async fn a_head_completed_in_the_drain(beginning: &str, rest: &str, asked_before: bool) {
    let served = web(routes()).await;
    let mut client = Client::connect(served.address).await.unwrap();
    if asked_before {
        client.get("/").await.unwrap();
    }
    client.send(beginning).await.unwrap();
    sleep(Duration::from_millis(50)).await;
    served.request();
    sleep(Duration::from_millis(100)).await;
    client.send(rest).await.unwrap();
    let answer = client.answer().await.unwrap();
    assert_eq!(answer.body, "hello");
    assert!(answer.says_close(), "{answer:?}");
    let (report, took) = served.stopped().await;
    assert!(took < AT_ONCE, "{took:?}");
    assert!(report.is_clean());
    assert_eq!(counted(&report, "completed"), 1);
    assert!(client.closed().await.is_empty());
}

#[tokio::test]
async fn row_3_a_head_completed_in_the_drain_is_answered() {
    a_head_completed_in_the_drain("GET / HTTP/1.1\r\nho", "st: test\r\n\r\n", false).await;
}

#[tokio::test]
async fn row_3_a_second_head_completed_in_the_drain_is_answered() {
    a_head_completed_in_the_drain("GET / HTTP/1.1\r\nho", "st: test\r\n\r\n", true).await;
}

/// `P` might be the beginning of HTTP/2's preface.
#[tokio::test]
async fn row_3_the_first_byte_of_a_post_is_enough_to_be_answered() {
    a_head_completed_in_the_drain("P", "OST / HTTP/1.1\r\nhost: test\r\ncontent-length: 0\r\n\r\n", false)
        .await;
}

#[tokio::test]
async fn row_10_a_connect_in_the_drain_is_refused_and_the_slow_request_answered() {
    let served = web(routes()).await;
    let address = served.address;
    let mut client = Client::connect(address).await.unwrap();
    client.send("GET /slow HTTP/1.1\r\nhost: test\r\n\r\n").await.unwrap();
    sleep(Duration::from_millis(50)).await;
    served.request();
    sleep(Duration::from_millis(100)).await;
    let began = Instant::now();
    assert!(Client::connect(address).await.is_err(), "a new connection was accepted, or queued");
    assert!(began.elapsed() < AT_ONCE);
    let answer = client.answer().await.unwrap();
    assert_eq!(answer.body, "slow");
    assert!(answer.says_close(), "{answer:?}");
    let (report, _) = served.stopped().await;
    assert!(report.is_clean());
    assert_eq!(counted(&report, "completed"), 1);
}

#[tokio::test]
async fn one_connection_more_than_may_be_waits_in_the_kernel() {
    let served = web_with(http::Server::new().max_connections(1), routes()).await;
    let mut first = Client::connect(served.address).await.unwrap();
    first.get("/").await.unwrap();
    let mut queued = Client::connect(served.address).await.unwrap();
    queued.send("GET / HTTP/1.1\r\nhost: test\r\n\r\n").await.unwrap();
    sleep(Duration::from_millis(50)).await;
    drop(first);
    assert_eq!(queued.answer().await.unwrap().body, "hello");

    assert!(served.stop().await.0.is_clean());
}

#[tokio::test]
async fn what_the_kernel_has_queued_at_the_stop_is_answered() {
    let served = web(routes()).await;
    Client::connect(served.address).await.unwrap().get("/").await.unwrap();
    // The test's thread is the server's, so nothing is accepted between these and the stop.
    let mut clients: Vec<_> =
        (0..100).map(|_| std::net::TcpStream::connect(served.address).unwrap()).collect();
    for client in &mut clients {
        client.write_all(b"GET / HTTP/1.1\r\nhost: test\r\n\r\n").unwrap();
    }
    let (report, _) = served.stop().await;
    assert!(report.is_clean());
    assert_eq!((counted(&report, "completed"), counted(&report, "refused")), (100, 0));
    for mut client in clients {
        let mut answer = String::new();
        client.read_to_string(&mut answer).unwrap();
        assert!(answer.ends_with("hello"), "{answer}");
    }
}

#[tokio::test]
async fn row_11_a_listener_inherited_in_blocking_mode_needs_no_last_request() {
    #[background_task(budget = "2s")]
    async fn inherited(listener: std::net::TcpListener, shutdown: Shutdown) -> std::io::Result<()> {
        http::serve(listener, routes(), &shutdown).await
    }
    #[shutdown_plan(budget = "60s")]
    struct Inherited {
        ingress: inherited,
    }
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let served = start(Inherited { ingress: inherited(listener) }, address);
    let mut client = Client::connect(address).await.unwrap();
    assert_eq!(client.get("/").await.unwrap().body, "hello");
    let (report, took) = served.stop().await;
    assert!(took < AT_ONCE, "{took:?}");
    assert!(report.is_clean());
}

/// A thousand stops at the very moment of an answer, and five hundred right after one.
async fn stops_around_an_answer(rounds: usize, wait_for_the_answer: bool) {
    for round in 0..rounds {
        let served = web(routes()).await;
        let mut client = Client::connect(served.address).await.unwrap();
        client.send("GET / HTTP/1.1\r\nhost: test\r\n\r\n").await.unwrap();
        let (report, took) = if wait_for_the_answer {
            client.answer().await.unwrap();
            served.stop().await
        } else {
            for _ in 0..round % 20 {
                tokio::task::yield_now().await;
            }
            let stopped = served.stop().await;
            assert_eq!(client.answer().await.unwrap().body, "hello", "round {round}");
            stopped
        };
        assert!(report.is_clean(), "round {round}");
        assert!(took < Duration::from_secs(1), "round {round}: {took:?}");
    }
}

#[tokio::test]
async fn row_14_a_thousand_stops_at_the_moment_of_an_answer() {
    stops_around_an_answer(1_000, false).await;
}

#[tokio::test]
async fn row_15_five_hundred_stops_right_after_an_answer() {
    stops_around_an_answer(500, true).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn row_15_five_hundred_stops_right_after_an_answer_on_two_threads() {
    stops_around_an_answer(500, true).await;
}

#[tokio::test]
async fn a_panic_in_a_handler_costs_its_own_connection_only() {
    let panics = get(async || -> &'static str { panic!("one request went wrong") });
    let served = web(Router::new().route("/panics", panics).merge(routes())).await;
    let mut other = Client::connect(served.address).await.unwrap();
    other.get("/").await.unwrap();
    let mut client = Client::connect(served.address).await.unwrap();
    assert!(client.get("/panics").await.is_err());
    assert_eq!(other.get("/").await.unwrap().body, "hello");
    let (report, _) = served.stop().await;
    assert!(report.is_clean());
}

#[background_task(budget = "2s")]
async fn handed_in(mut streams: mpsc::Receiver<DuplexStream>, shutdown: Shutdown) {
    let connections = http::Server::new().max_connections(1).connections(routes(), &shutdown);
    while let Some(Some(stream)) = shutdown.run_until_requested(streams.recv()).await {
        // Refused: the stream is closed.
        let _ = connections.serve(stream);
    }
    connections.drained().await;
}

#[shutdown_plan(budget = "60s")]
struct HandedIn {
    ingress: handed_in,
}

/// As a TLS acceptor would hand them in.
#[tokio::test]
async fn streams_that_were_accepted_elsewhere_drain_as_well() {
    let (send, streams) = mpsc::channel(4);
    let running = testing::start(HandedIn { ingress: handed_in(streams) }).unwrap();
    let (mut client, server) = duplex(1024);
    let (mut too_many, refused) = duplex(1024);
    send.send(server).await.unwrap();
    send.send(refused).await.unwrap();
    assert_eq!(too_many.read(&mut [0; 8]).await.unwrap(), 0, "one more than may be is closed");
    client.write_all(b"GET /slow HTTP/1.1\r\nhost: test\r\n\r\n").await.unwrap();
    sleep(Duration::from_millis(50)).await;
    running.handle().request("the test");
    let mut answer = String::new();
    client.read_to_string(&mut answer).await.unwrap();
    assert!(answer.contains("connection: close") && answer.ends_with("slow"), "{answer}");
    let report = running.stopped().await;
    assert!(report.is_clean(), "{report}");
    assert_eq!(report.member("handed_in").unwrap().counter("completed"), 1);
}
