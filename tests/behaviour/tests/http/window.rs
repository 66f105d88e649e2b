//! The window between readiness off and the listener's close, in which clients and routers move on.

use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::State;
use axum::routing::get;
use shutdown_runtime::{Shutdown, background_task, http, shutdown_plan};
use tokio::net::TcpListener;
use tokio::time::sleep;

use crate::client::Client;
use crate::server::{Served, listen, routes, start, web_on, with_window};

/// Asks every `pause` over one connection as long as it lives, and opens another when the server said close. Gives how
/// many were answered, and the first failure but a refused connect.
async fn asks_on(address: std::net::SocketAddr, pause: Duration) -> Result<u32, String> {
    let mut answered = 0;
    'connections: while let Ok(mut client) = Client::connect(address).await {
        loop {
            let answer = client.get("/").await.map_err(|error| format!("after {answered}: {error}"))?;
            assert_eq!(answer.body, "hello");
            answered += 1;
            sleep(pause).await;
            if answer.says_close() {
                continue 'connections;
            }
        }
    }
    Ok(answered)
}

#[tokio::test]
async fn row_7_a_busy_keep_alive_client_is_told_to_close_and_sees_no_failure() {
    let served = with_window(http::Server::new(), routes()).await;
    let asking = tokio::spawn(asks_on(served.address, Duration::from_millis(100)));
    sleep(Duration::from_millis(250)).await;
    let (report, took) = served.stop().await;
    assert!(took < Duration::from_millis(1_500), "{took:?}");
    assert!(report.is_clean());
    assert!(asking.await.unwrap().unwrap() >= 6);
}

#[tokio::test]
async fn row_13_a_request_just_after_the_signal_is_answered() {
    for _ in 0..20 {
        let served = with_window(http::Server::new(), routes()).await;
        // Connected, as after a handshake, and silent.
        let mut client = Client::connect(served.address).await.unwrap();
        served.request();
        sleep(Duration::from_millis(5)).await;
        assert_eq!(client.get("/").await.unwrap().body, "hello");
        drop(client);
        // The rest of the window shows nothing more.
        served.running.handle().request_now("the test");
        assert!(served.stopped().await.0.is_clean());
    }
}

#[tokio::test]
async fn row_17_new_connections_are_answered_through_the_window_then_refused() {
    let served = with_window(http::Server::new(), routes()).await;
    let address = served.address;
    served.request();
    let began = Instant::now();
    while began.elapsed() < Duration::from_millis(400) {
        let mut client = Client::connect(address).await.unwrap();
        assert_eq!(client.get("/").await.unwrap().body, "hello");
        sleep(Duration::from_millis(20)).await;
    }
    let (report, _) = served.stopped().await;
    assert!(report.is_clean());
    assert!(report.window >= Duration::from_millis(490), "{report}");
    assert!(Client::connect(address).await.is_err());
}

#[tokio::test]
async fn a_server_may_close_its_listener_at_the_first_instant() {
    let served = with_window(http::Server::new().accept_in_lame_duck(false), routes()).await;
    let address = served.address;
    let mut client = Client::connect(address).await.unwrap();
    client.get("/").await.unwrap();
    served.request();
    sleep(Duration::from_millis(100)).await;
    assert!(Client::connect(address).await.is_err());
    assert_eq!(client.get("/").await.unwrap().body, "hello", "what is open is served");
    assert!(served.stopped().await.0.is_clean());
}

#[background_task(budget = "2s")]
async fn front(listener: TcpListener, shutdown: Shutdown) -> std::io::Result<()> {
    http::serve(listener, routes(), &shutdown).await
}

#[background_task(budget = "1s")]
async fn probes(listener: TcpListener, shutdown: Shutdown) -> std::io::Result<()> {
    http::serve(listener, http::health(shutdown.readiness()), &shutdown).await
}

#[shutdown_plan(budget = "60s", lame_duck = "300ms")]
struct WithProbes {
    ingress: front,
    probes: probes,
}

/// Polls until nobody answers; what `/livez` and `/readyz` said.
async fn polls(address: std::net::SocketAddr) -> Vec<(u16, u16, String)> {
    let mut seen = Vec::new();
    while let Ok(mut live) = Client::connect(address).await {
        let Ok(live) = live.get("/livez").await else { break };
        let Ok(mut ready) = Client::connect(address).await else { break };
        let Ok(ready) = ready.get("/readyz").await else { break };
        seen.push((live.status(), ready.status(), ready.body));
        sleep(Duration::from_millis(50)).await;
    }
    seen
}

/// Also 110: of two servers the one with the probes closes last.
#[tokio::test]
async fn rows_18_and_19_readiness_is_off_at_the_first_poll_and_liveness_on_to_the_end() {
    let (listener, address) = listen().await;
    let (probed, probe_address) = listen().await;
    let served: Served = start(WithProbes { ingress: front(listener), probes: probes(probed) }, address);
    let mut client = Client::connect(address).await.unwrap();
    let ready = Client::connect(probe_address).await.unwrap().get("/readyz").await.unwrap();
    assert_eq!((ready.status(), ready.body.as_str()), (200, "ready\n"));
    served.request();
    client.send("GET /slow HTTP/1.1\r\nhost: test\r\n\r\n").await.unwrap();
    let polling = tokio::spawn(polls(probe_address));
    assert_eq!(client.answer().await.unwrap().body, "slow");
    let (report, _) = served.stopped().await;
    assert!(report.is_clean());
    let seen = polling.await.unwrap();
    assert!(seen.len() >= 8, "probes were answered until the slow request's end: {seen:?}");
    for (live, ready, why) in seen {
        assert_eq!((live, ready), (200, 503));
        assert!(why.contains("the test"), "{why}");
    }
}

/// A handler that asks its own server: in the drain it is refused, and says so.
#[tokio::test]
async fn a_service_that_calls_itself_does_not_wait_for_itself() {
    let calls = get(async |State(address): State<std::net::SocketAddr>, shutdown: Shutdown| {
        shutdown.requested().await;
        match Client::connect(address).await {
            Ok(_) => "connected",
            Err(_) => "refused",
        }
    });
    let (listener, address) = listen().await;
    let routes = Router::new().route("/calls", calls).with_state(address);
    let served = web_on(listener, address, http::Server::new(), routes);
    let mut client = Client::connect(served.address).await.unwrap();
    client.send("GET /calls HTTP/1.1\r\nhost: test\r\n\r\n").await.unwrap();
    sleep(Duration::from_millis(50)).await;
    let (report, took) = served.stop().await;
    assert!(took < Duration::from_millis(500), "{took:?}");
    assert!(report.is_clean());
    assert_eq!(client.answer().await.unwrap().body, "refused");
}
