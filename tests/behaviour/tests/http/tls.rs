//! Streams that the task accepts itself: TLS, whose handshake has a limit of the task's own.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use shutdown_runtime::{Shutdown, background_task, http, shutdown_plan};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{sleep, timeout};
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore, ServerConfig};
use tokio_rustls::{TlsAcceptor, TlsConnector};

use crate::client::Client;
use crate::server::{Served, counted, later, listen, routes, start};

/// How long a handshake may take.
const HANDSHAKE: Duration = Duration::from_millis(500);

#[background_task(budget = "5s")]
async fn api(
    listener: TcpListener,
    acceptor: TlsAcceptor,
    routes: Router,
    shutdown: Shutdown,
) -> std::io::Result<()> {
    let connections = Arc::new(http::Server::new().connections(routes, &shutdown));
    while let Some(accepted) = shutdown.run_until_requested(listener.accept()).await {
        let (stream, _) = accepted?;
        let (acceptor, serving) = (acceptor.clone(), Arc::clone(&connections));
        // As a child: a handshake does not hold up the others, and the task waits for it.
        let handshake = async move {
            if let Ok(Ok(stream)) = timeout(HANDSHAKE, acceptor.accept(stream)).await {
                let _ = serving.serve(stream);
            }
        };
        let _ = shutdown.spawn(handshake);
    }
    drop(listener);
    connections.drained().await;
    Ok(())
}

#[shutdown_plan(budget = "60s")]
struct Secure {
    ingress: api,
    later: later,
}

#[shutdown_plan(budget = "60s", lame_duck = "500ms")]
struct SecureWithWindow {
    ingress: api,
    later: later,
}

/// What the server and its clients agree on.
struct Agreed {
    acceptor: TlsAcceptor,
    connector: TlsConnector,
}

fn agreed() -> Agreed {
    let made = rcgen::generate_simple_self_signed([String::from("localhost")]).unwrap();
    let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(made.signing_key.serialize_der()));
    let certificate = made.cert.der().clone();
    let mut roots = RootCertStore::empty();
    roots.add(certificate.clone()).unwrap();
    let server = ServerConfig::builder().with_no_client_auth().with_single_cert(vec![certificate], key);
    let client = ClientConfig::builder().with_root_certificates(roots).with_no_client_auth();
    Agreed {
        acceptor: TlsAcceptor::from(Arc::new(server.unwrap())),
        connector: TlsConnector::from(Arc::new(client)),
    }
}

async fn served(with_window: bool) -> (Served, TlsConnector) {
    let (listener, address) = listen().await;
    let Agreed { acceptor, connector } = agreed();
    let api = api(listener, acceptor, routes());
    let served = if with_window {
        start(SecureWithWindow { ingress: api, later: later() }, address)
    } else {
        start(Secure { ingress: api, later: later() }, address)
    };
    (served, connector)
}

async fn connect(connector: &TlsConnector, address: SocketAddr) -> TlsStream<TcpStream> {
    let stream = TcpStream::connect(address).await.unwrap();
    connector.connect(ServerName::try_from("localhost").unwrap(), stream).await.unwrap()
}

/// Asks for `path` and reads to the end of the stream, which has to be announced: a cut is an error.
async fn ask(stream: &mut TlsStream<TcpStream>, path: &str) -> std::io::Result<String> {
    let head = format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
    stream.write_all(head.as_bytes()).await?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    Ok(answer)
}

#[tokio::test]
async fn row_13_a_request_just_after_the_signal_is_answered_over_tls() {
    for _ in 0..10 {
        let (served, connector) = served(true).await;
        let mut stream = connect(&connector, served.address).await;
        served.request();
        sleep(Duration::from_millis(5)).await;
        assert!(ask(&mut stream, "/").await.unwrap().ends_with("hello"));
        // In the window new ones are served as well.
        let mut stream = connect(&connector, served.address).await;
        assert!(ask(&mut stream, "/").await.unwrap().ends_with("hello"));
        served.running.handle().request_now("the test");
        assert!(served.stopped().await.0.is_clean());
    }
}

#[tokio::test]
async fn what_is_in_flight_over_tls_is_answered_to_the_end() {
    let (served, connector) = served(false).await;
    let mut stream = connect(&connector, served.address).await;
    let asking = tokio::spawn(async move { ask(&mut stream, "/slow").await });
    let silent = connect(&connector, served.address).await;
    sleep(Duration::from_millis(50)).await;
    let (report, took) = served.stop().await;
    assert!(took < Duration::from_secs(1), "{took:?}");
    assert!(report.is_clean());
    assert_eq!((counted(&report, "completed"), counted(&report, "refused")), (1, 1));
    assert!(asking.await.unwrap().unwrap().ends_with("slow"));
    drop(silent);
}

#[tokio::test]
async fn half_a_handshake_holds_the_stop_no_longer_than_its_limit() {
    let (served, _) = served(false).await;
    let mut half = Client::connect(served.address).await.unwrap();
    // The first bytes of a handshake record.
    half.send("\u{16}\u{3}\u{1}").await.unwrap();
    sleep(Duration::from_millis(50)).await;
    let (report, took) = served.stop().await;
    assert!(took > HANDSHAKE / 2 && took < HANDSHAKE * 2, "{took:?}");
    assert!(report.is_clean());
    half.closed().await;
}
