//! HTTP/2: each stream is answered in full, or refused so that the client may ask again.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::routing::get;
use h2::client::SendRequest;
use shutdown_runtime::{Outcome, Shutdown, background_task, http, shutdown_plan};
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};

use crate::client::Client;
use crate::server::{Served, api, counted, listen, routes, start, web, web_with};

pub(crate) type Requests = SendRequest<&'static [u8]>;

/// A client, and its connection's task.
pub(crate) async fn connect(served: &Served) -> (Requests, tokio::task::JoinHandle<Result<(), h2::Error>>) {
    let stream = TcpStream::connect(served.address).await.unwrap();
    let (requests, connection) = h2::client::Builder::new().handshake(stream).await.unwrap();
    (requests.ready().await.unwrap(), tokio::spawn(connection))
}

pub(crate) fn request(path: &str) -> ::http::Request<()> {
    ::http::Request::get(format!("http://test{path}")).body(()).unwrap()
}

/// The whole body, or why there is none.
pub(crate) async fn answer(response: h2::client::ResponseFuture) -> Result<Vec<u8>, h2::Error> {
    let mut body = response.await?.into_body();
    let mut whole = Vec::new();
    while let Some(piece) = body.data().await {
        let piece = piece?;
        body.flow_control().release_capacity(piece.len())?;
        whole.extend_from_slice(&piece);
    }
    Ok(whole)
}

#[tokio::test]
async fn row_9_twenty_streams_in_the_moment_of_the_stop() {
    for round in 0..20 {
        let served = web(routes()).await;
        let (mut requests, connection) = connect(&served).await;
        // One before, so that the handshake is over.
        let first = requests.send_request(request("/"), true).unwrap().0;
        assert_eq!(answer(first).await.unwrap(), b"hello");
        let mut streams = Vec::new();
        for number in 0..20 {
            if number == round {
                served.request();
            }
            if let Ok(ready) = requests.clone().ready().await {
                requests = ready;
                if let Ok((response, _)) = requests.send_request(request("/"), true) {
                    streams.push(tokio::spawn(answer(response)));
                }
            }
        }
        let (report, took) = served.stopped().await;
        assert!(report.is_clean());
        assert!(took < Duration::from_secs(1), "{took:?}");
        for stream in streams {
            match timeout(Duration::from_secs(5), stream).await.expect("a silent stream").unwrap() {
                Ok(body) => assert_eq!(body, b"hello"),
                // What GOAWAY says was not begun may be asked again.
                Err(error) => assert!(error.is_go_away() || error.is_io() || error.is_reset(), "{error:?}"),
            }
        }
        drop(requests);
        let _ = connection.await;
    }
}

#[tokio::test]
async fn row_9_a_stream_begun_before_the_stop_is_answered_and_one_after_it_refused() {
    let served = web(routes()).await;
    let (mut requests, _connection) = connect(&served).await;
    let slow = tokio::spawn(answer(requests.send_request(request("/slow"), true).unwrap().0));
    sleep(Duration::from_millis(100)).await;
    served.request();
    sleep(Duration::from_millis(100)).await;
    let late = match requests.ready().await {
        Ok(mut requests) => match requests.send_request(request("/"), true) {
            Ok((response, _)) => answer(response).await.map(drop),
            Err(error) => Err(error),
        },
        Err(error) => Err(error),
    };
    assert!(late.unwrap_err().is_go_away());
    assert_eq!(slow.await.unwrap().unwrap(), b"slow");
    let (report, _) = served.stopped().await;
    assert!(report.is_clean());
    assert_eq!(counted(&report, "completed"), 1);
}

#[tokio::test]
async fn row_2_a_client_without_a_whole_preface_and_one_that_stops_reading() {
    let endless = get(async || {
        let pieces = futures_util::stream::repeat_with(|| Ok::<_, std::io::Error>(vec![0_u8; 65_536]));
        Body::from_stream(pieces)
    });
    let limits = http::Server::new().header_read_time(Duration::from_millis(300));
    let served = web_with(limits, Router::new().route("/endless", endless)).await;
    let mut half = Client::connect(served.address).await.unwrap();
    half.send("PRI * HTTP/2").await.unwrap();
    let (mut requests, _connection) = connect(&served).await;
    // Nobody reads the body, so its window stays full.
    let response = requests.send_request(request("/endless"), true).unwrap().0.await.unwrap();
    sleep(Duration::from_millis(50)).await;
    let (report, took) = served.stop().await;
    assert!(took >= Duration::from_millis(1_900) && took < Duration::from_secs(4), "{took:?}");
    assert_eq!(report.member("api").unwrap().outcome, Outcome::TimedOut);
    assert_eq!(report.member("later").unwrap().outcome, Outcome::Completed);
    assert_eq!((counted(&report, "cut"), counted(&report, "refused")), (1, 1));
    half.closed().await;
    drop(response);
}

#[tokio::test]
async fn row_2_a_handshake_that_never_ends_is_closed_at_the_header_limit() {
    let limits = http::Server::new().header_read_time(Duration::from_millis(300));
    let served = web_with(limits, routes()).await;
    let mut client = Client::connect(served.address).await.unwrap();
    client.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").await.unwrap();
    sleep(Duration::from_millis(50)).await;
    let (report, took) = served.stop().await;
    assert!(took < Duration::from_secs(1), "{took:?}");
    assert!(report.is_clean());
    client.closed().await;
}

/// Takes its time to be dropped, and says when it is.
struct Held(Arc<AtomicBool>);

impl Drop for Held {
    fn drop(&mut self) {
        std::thread::sleep(Duration::from_millis(50));
        self.0.store(true, Ordering::SeqCst);
    }
}

/// Looks, as soon as its phase is told to stop, whether the handler of the one before is gone.
#[background_task(budget = "1s")]
async fn looks(is_gone: Arc<AtomicBool>, shutdown: Shutdown) -> Result<(), &'static str> {
    shutdown.requested().await;
    if is_gone.load(Ordering::SeqCst) { Ok(()) } else { Err("a handler was still there") }
}

#[shutdown_plan(budget = "60s")]
struct Looking {
    ingress: api,
    later: looks,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stream_that_is_cut_is_gone_when_the_next_phase_begins() {
    let is_gone = Arc::new(AtomicBool::new(false));
    let held = Arc::clone(&is_gone);
    let hangs = get(async move || {
        let _held = Held(held);
        std::future::pending::<&'static str>().await
    });
    let (listener, address) = listen().await;
    let routes = Router::new().route("/hangs", hangs);
    let api = api(listener, routes, http::Server::new());
    let served = start(Looking { ingress: api, later: looks(is_gone) }, address);
    let (mut requests, _connection) = connect(&served).await;
    let response = requests.send_request(request("/hangs"), true).unwrap().0;
    sleep(Duration::from_millis(50)).await;
    let (report, _) = served.stop().await;
    assert_eq!(report.member("api").unwrap().outcome, Outcome::TimedOut);
    assert_eq!(report.member("looks").unwrap().outcome, Outcome::Completed);
    assert_eq!(counted(&report, "cut"), 1);
    drop(response);
}
