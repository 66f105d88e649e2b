//! Bad input and limits: a clear 4xx or a close within the limit, never a held drain.

use std::time::{Duration, Instant};

use axum::Router;
use axum::routing::get;
use shutdown_runtime::http;
use tokio::time::sleep;

use crate::client::Client;
use crate::server::{counted, routes, web, web_with};

#[tokio::test]
async fn a_malformed_head_is_answered_with_400() {
    let served = web(routes()).await;
    for head in ["GET / HTTP/9.9\r\n\r\n", "\0\0\0\0\r\n\r\n", "GET / HTTP/1.1\r\nno colon\r\n\r\n"] {
        let mut client = Client::connect(served.address).await.unwrap();
        client.send(head).await.unwrap();
        assert_eq!(client.answer().await.unwrap().status(), 400, "{head:?}");
        client.closed().await;
    }
    assert!(served.stop().await.0.is_clean());
}

#[tokio::test]
async fn an_over_long_head_is_answered_with_431_or_414() {
    let served = web(routes()).await;
    let long = "a".repeat(1_000_000);
    for (head, status) in
        [(format!("GET / HTTP/1.1\r\nlong: {long}"), 431), (format!("GET /{long} HTTP/1.1\r\n\r\n"), 414)]
    {
        let mut client = Client::connect(served.address).await.unwrap();
        // The server may close before it has all.
        let _ = client.send(&head).await;
        if let Ok(answer) = client.answer().await {
            assert!([status, 431].contains(&answer.status()), "{answer:?}");
        }
        client.closed().await;
    }
    assert!(served.stop().await.0.is_clean());
}

#[tokio::test]
async fn slow_bytes_and_idle_connections_are_closed_within_their_limits() {
    let (head, idle) = (Duration::from_millis(300), Duration::from_millis(600));
    let limits = http::Server::new().header_read_time(head).idle_time(idle);
    let served = web_with(limits, routes()).await;
    let mut asked = Client::connect(served.address).await.unwrap();
    asked.get("/").await.unwrap();
    let silent = Client::connect(served.address).await.unwrap();
    let mut slow = Client::connect(served.address).await.unwrap();
    let began = Instant::now();
    let dripping = tokio::spawn(async move {
        for byte in "GET / HTTP/1.1\r\nhost: test\r\n\r\n".chars().cycle() {
            if slow.send(&byte.to_string()).await.is_err() {
                break;
            }
            sleep(Duration::from_millis(50)).await;
        }
        began.elapsed()
    });
    for (mut client, what) in [(asked, "asked"), (silent, "silent")] {
        assert!(client.closed().await.is_empty());
        let took = began.elapsed();
        assert!(took + Duration::from_millis(50) > idle && took < idle * 2, "{what}: {took:?}");
    }
    let took = dripping.await.unwrap();
    assert!(took < Duration::from_millis(700), "{took:?}");
    assert!(served.stop().await.0.is_clean());
}

#[tokio::test]
async fn a_handler_over_its_limit_is_answered_for_with_503() {
    let hangs = get(async || std::future::pending::<&'static str>().await);
    let limits = http::Server::new().max_request_time(Duration::from_millis(100));
    let served = web_with(limits, Router::new().route("/hangs", hangs)).await;
    let mut client = Client::connect(served.address).await.unwrap();
    assert_eq!(client.get("/hangs").await.unwrap().status(), 503);
    client.send("GET /hangs HTTP/1.1\r\nhost: test\r\n\r\n").await.unwrap();
    sleep(Duration::from_millis(20)).await;
    let (report, took) = served.stop().await;
    assert!(took < Duration::from_millis(500), "{took:?}");
    assert!(report.is_clean());
    assert_eq!(counted(&report, "completed"), 1);
    assert_eq!(client.answer().await.unwrap().status(), 503);
}

/// Says to this program, started by itself, that it has few descriptors.
const FEW: &str = "HTTP_TEST_WITH_FEW_DESCRIPTORS";

#[tokio::test]
#[cfg(unix)]
async fn running_out_of_descriptors_neither_ends_nor_wedges_the_server() {
    if std::env::var_os(FEW).is_some() {
        return with_few_descriptors().await;
    }
    let test = "limits::running_out_of_descriptors_neither_ends_nor_wedges_the_server";
    let status = std::process::Command::new("sh")
        .args(["-c", "ulimit -n 64; exec \"$0\" --exact \"$1\" --nocapture"])
        .arg(std::env::current_exe().unwrap())
        .arg(test)
        .env(FEW, "1")
        .status()
        .unwrap();
    assert!(status.success());
}

#[cfg(unix)]
async fn with_few_descriptors() {
    let served = web(routes()).await;
    let mut files = Vec::new();
    while let Ok(file) = std::fs::File::open("/dev/null") {
        files.push(file);
    }
    // For a client, its connection's end in the server, and a second client, for whom the server has none left.
    files.truncate(files.len() - 3);
    let mut first = Client::connect(served.address).await.unwrap();
    assert_eq!(first.get("/").await.unwrap().body, "hello");
    let mut second = Client::connect(served.address).await.unwrap();
    second.send("GET / HTTP/1.1\r\nhost: test\r\n\r\n").await.unwrap();
    let early = tokio::time::timeout(Duration::from_millis(300), second.0.readable()).await;
    assert!(early.is_err(), "it was accepted without a descriptor");
    assert_eq!(first.get("/").await.unwrap().body, "hello", "what is open is served meanwhile");
    files.clear();
    assert_eq!(second.answer().await.unwrap().body, "hello");
    assert!(served.stop().await.0.is_clean());
    stop_without_descriptors().await;
}

/// What is open is answered; what is queued cannot be accepted, and is closed rather than kept waiting.
#[cfg(unix)]
async fn stop_without_descriptors() {
    let served = web(routes()).await;
    let address = served.address;
    let mut first = Client::connect(address).await.unwrap();
    assert_eq!(first.get("/").await.unwrap().body, "hello");
    let mut files = Vec::new();
    while let Ok(file) = std::fs::File::open("/dev/null") {
        files.push(file);
    }
    files.truncate(files.len() - 1);
    let mut queued = Client::connect(address).await.unwrap();
    first.send("GET /slow HTTP/1.1\r\nhost: test\r\n\r\n").await.unwrap();
    sleep(Duration::from_millis(100)).await;
    let (report, took) = served.stop().await;
    assert!(took < Duration::from_secs(1), "{took:?}");
    assert!(report.is_clean());
    assert_eq!(counted(&report, "completed"), 1);
    assert_eq!(first.answer().await.unwrap().body, "slow");
    assert!(queued.closed().await.is_empty());
    assert!(Client::connect(address).await.is_err());
}

#[tokio::test]
async fn a_head_begun_after_a_long_idle_time_has_its_own_limit() {
    let (head, idle) = (Duration::from_millis(200), Duration::from_secs(30));
    let limits = http::Server::new().header_read_time(head).idle_time(idle);
    let served = web_with(limits, routes()).await;
    let mut client = Client::connect(served.address).await.unwrap();
    client.get("/").await.unwrap();
    sleep(head * 2).await;
    assert_eq!(client.get("/").await.unwrap().body, "hello", "idle is not slow");
    sleep(head * 2).await;
    let began = Instant::now();
    client.send("GET / HT").await.unwrap();
    client.closed().await;
    assert!(began.elapsed() < head * 4, "{:?}", began.elapsed());
    assert!(served.stop().await.0.is_clean());
}
