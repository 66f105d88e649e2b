//! An HTTP server that really drains (feature `http`): HTTP/1.1 and HTTP/2, cleartext or over streams that you hand in.
//!
//! Its connections are children of the task that serves: the task's phase is over only when no handler runs any more and
//! every lease that a handler held is back.
//!
//! # What happens at the stop
//!
//! While the plan is in its lame-duck window the server goes on accepting (unless [`Server::accept_in_lame_duck`] says
//! otherwise), and HTTP/1.1 answers carry `Connection: close`, so that clients have moved on when the listener closes.
//! Once the task's phase is told to stop:
//!
//! - What the kernel has queued is accepted; then the listener is closed, and a new connect is refused.
//! - Idle connections close at once, and so do those that have not sent a byte.
//! - Answers in flight complete, over HTTP/1.1 with `Connection: close`. HTTP/2 connections get GOAWAY: streams begun before
//!   it complete, later ones are refused as retryable.
//! - Half a head may be completed within [`Server::header_read_time`], and is then answered.
//! - Upgraded connections (WebSocket) are awaited. Their handlers see the stop through [`Shutdown`], which is an axum
//!   extractor.
//! - At the task's budget all that is left is cut.
//!
//! # What the report says
//!
//! Three [counters](crate::MemberReport::counter), counted from the plan's first instant of stopping: `"completed"`, requests answered
//! in full; `"refused"`, connections closed at the stop before they had asked for anything; `"cut"`, requests and upgraded
//! connections that the end of the budget cut.
//!
//! # Examples
//!
//! ```no_run
//! use axum::Router;
//! use axum::routing::get;
//! use shutdown_runtime::{Shutdown, background_task, http, shutdown_plan};
//! use tokio::net::TcpListener;
//!
//! #[background_task(budget = "25s")]
//! async fn api(listener: TcpListener, shutdown: Shutdown) -> std::io::Result<()> {
//!     let routes = Router::new().route("/", get(async || "hello"));
//!     http::serve(listener, routes, &shutdown).await
//! }
//!
//! /// Probes are answered until nearly the end: the last phase.
//! #[background_task(budget = "1s")]
//! async fn probes(listener: TcpListener, shutdown: Shutdown) -> std::io::Result<()> {
//!     http::serve(listener, http::health(shutdown.readiness()), &shutdown).await
//! }
//!
//! #[shutdown_plan(budget = "40s", lame_duck = "5s")]
//! struct Service {
//!     ingress: api,
//!     probes: probes,
//! }
//!
//! #[shutdown_runtime::main]
//! async fn main() -> std::io::Result<Service> {
//!     Ok(Service {
//!         ingress: api(TcpListener::bind("0.0.0.0:3000").await?),
//!         probes: probes(TcpListener::bind("0.0.0.0:3001").await?),
//!     })
//! }
//! ```
//!
//! A stream of events that ends by itself at the stop, through the extractor:
//!
//! ```
//! use shutdown_runtime::Shutdown;
//!
//! /// A long poll: answers at the stop at the latest.
//! async fn next_event(shutdown: Shutdown) -> &'static str {
//!     match shutdown.run_until_requested(std::future::pending::<&'static str>()).await {
//!         Some(event) => event,
//!         None => "ask again",
//!     }
//! }
//! # let _: axum::Router = axum::Router::new().route("/next", axum::routing::get(next_event));
//! ```

mod accept;
mod connection;
mod extract;
mod health;
mod request;
mod server;
mod service;
mod state;
mod stream;

pub use accept::Listener;
pub use extract::{NotServedHere, Peer};
pub use health::health;
pub use server::{Connections, Server};
pub use service::HttpService;

use std::io;

use crate::shutdown::Shutdown;

/// Serves a router, or any tower service of axum's bodies, until the task is told to stop, and drains: with the limits of
/// [`Server::new`].
///
/// Returns once every connection is over. Dropping it, as an abort does, closes the listener; the connections are
/// children of the task and end with it.
///
/// # Errors
///
/// Only where the listener cannot be set up. Errors of accepting are logged and waited out.
///
/// # Examples
///
/// ```
/// use axum::Router;
/// use shutdown_runtime::{Shutdown, background_task, http};
/// use tokio::net::TcpListener;
///
/// #[background_task(budget = "25s")]
/// async fn api(listener: TcpListener, shutdown: Shutdown) -> std::io::Result<()> {
///     http::serve(listener, Router::new(), &shutdown).await
/// }
/// ```
pub async fn serve(
    listener: impl Listener,
    service: impl HttpService,
    shutdown: &Shutdown,
) -> io::Result<()> {
    Server::new().serve(listener, service, shutdown).await
}
