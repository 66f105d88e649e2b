//! The plans that the tests stop.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use axum::Router;
use axum::routing::{any, get};
use shutdown_runtime::{Plan, Report, Running, Shutdown, background_task, http, shutdown_plan, testing};
use tokio::net::TcpListener;
use tokio::time::sleep;

#[background_task(budget = "2s")]
pub(crate) async fn api(
    listener: TcpListener,
    routes: Router,
    server: http::Server,
    shutdown: Shutdown,
) -> std::io::Result<()> {
    server.serve(listener, routes, &shutdown).await
}

/// The later phase that has to run whatever the clients do.
#[background_task(budget = "1s")]
pub(crate) async fn later(shutdown: Shutdown) {
    shutdown.requested().await;
}

/// Stops at once.
#[shutdown_plan(budget = "60s")]
pub(crate) struct Web {
    ingress: api,
    later: later,
}

/// Stops after a window.
#[shutdown_plan(budget = "60s", lame_duck = "500ms")]
pub(crate) struct WithWindow {
    ingress: api,
    later: later,
}

/// A plan that runs, and where.
pub(crate) struct Served {
    pub(crate) running: Running,
    pub(crate) address: SocketAddr,
}

pub(crate) async fn listen() -> (TcpListener, SocketAddr) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    (listener, address)
}

pub(crate) fn start(plan: impl Plan, address: SocketAddr) -> Served {
    Served { running: testing::start(plan).unwrap(), address }
}

pub(crate) fn web_on(
    listener: TcpListener,
    address: SocketAddr,
    server: http::Server,
    routes: Router,
) -> Served {
    start(Web { ingress: api(listener, routes, server), later: later() }, address)
}

pub(crate) async fn web_with(server: http::Server, routes: Router) -> Served {
    let (listener, address) = listen().await;
    web_on(listener, address, server, routes)
}

pub(crate) async fn web(routes: Router) -> Served {
    web_with(http::Server::new(), routes).await
}

pub(crate) async fn with_window(server: http::Server, routes: Router) -> Served {
    let (listener, address) = listen().await;
    start(WithWindow { ingress: api(listener, routes, server), later: later() }, address)
}

/// `/` at once, `/slow` after half a second.
pub(crate) fn routes() -> Router {
    let slow = get(async || {
        sleep(Duration::from_millis(500)).await;
        "slow"
    });
    Router::new().route("/", any(async || "hello")).route("/slow", slow)
}

impl Served {
    /// Asks for the stop, with its window.
    pub(crate) fn request(&self) {
        self.running.handle().request("the test");
    }

    /// Waits for the end, and says how long it took.
    pub(crate) async fn stopped(self) -> (Report, Duration) {
        let began = Instant::now();
        let report = self.running.stopped().await;
        eprintln!("{report}");
        (report, began.elapsed())
    }

    pub(crate) async fn stop(self) -> (Report, Duration) {
        self.request();
        self.stopped().await
    }
}

/// What the API's task counted.
pub(crate) fn counted(report: &Report, name: &str) -> u64 {
    report.member("api").unwrap().counter(name)
}
