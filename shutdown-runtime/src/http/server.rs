//! The limits of a server, and the connections that it serves under them.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::accept::{self, Listener};
use super::connection;
use super::service::HttpService;
use super::state::Shared;
use crate::error::SpawnError;
use crate::shutdown::Shutdown;

/// A server's limits. [`serve`](super::serve) uses the defaults.
///
/// # Examples
///
/// ```
/// use std::time::Duration;
/// use axum::Router;
/// use shutdown_runtime::{Shutdown, background_task, http};
/// use tokio::net::TcpListener;
///
/// #[background_task(budget = "25s")]
/// async fn api(listener: TcpListener, shutdown: Shutdown) -> std::io::Result<()> {
///     let server = http::Server::new()
///         .header_read_time(Duration::from_secs(5))
///         .max_connections(2_000)
///         .max_request_time(Duration::from_secs(20));
///     server.serve(listener, Router::new(), &shutdown).await
/// }
/// ```
#[derive(Clone, Debug)]
#[must_use = "limits do nothing until `serve` is called"]
pub struct Server {
    pub(super) header_read: Duration,
    pub(super) idle: Duration,
    pub(super) connections: u32,
    pub(super) request: Option<Duration>,
    pub(super) accept_in_lame_duck: bool,
}

impl Default for Server {
    fn default() -> Self {
        Self {
            header_read: Duration::from_secs(10),
            idle: Duration::from_secs(75),
            connections: 65_536,
            request: None,
            accept_in_lame_duck: true,
        }
    }
}

impl Server {
    /// The defaults: 10 s for a head, 75 s idle, 65,536 connections, no limit for a request, accepting in lame duck.
    pub fn new() -> Self {
        Self::default()
    }

    /// How long a request's head may take from its first byte to its last; then the connection is closed. Default 10 s.
    pub fn header_read_time(self, limit: Duration) -> Self {
        Self { header_read: limit, ..self }
    }

    /// How long a connection may be open without a request, and how long its client may take nothing of an answer; then it
    /// is closed. Default 75 s.
    pub fn idle_time(self, limit: Duration) -> Self {
        Self { idle: limit, ..self }
    }

    /// How many connections may be open at once, upgraded ones among them; more wait in the kernel's queue. Default 65,536;
    /// at least 1.
    pub fn max_connections(self, limit: u32) -> Self {
        Self { connections: limit.clamp(1, 1 << 24), ..self }
    }

    /// How long a handler may take until its answer's head; it is then dropped, and the answer is 503. Default: no limit
    /// but the task's budget, once it is told to stop.
    pub fn max_request_time(self, limit: Duration) -> Self {
        Self { request: Some(limit), ..self }
    }

    /// Whether new connections are accepted in the window between readiness off and this task's stop: default `true`, since
    /// whoever routes the traffic needs that time to notice.
    pub fn accept_in_lame_duck(self, accept: bool) -> Self {
        Self { accept_in_lame_duck: accept, ..self }
    }

    /// As [`serve`](super::serve), under these limits.
    ///
    /// # Errors
    ///
    /// Only where the listener cannot be set up.
    pub async fn serve(
        self,
        listener: impl Listener,
        service: impl HttpService,
        shutdown: &Shutdown,
    ) -> io::Result<()> {
        let listener = listener.into_listener()?;
        let connections = self.connections(service, shutdown);
        accept::until_the_stop(listener, &connections).await;
        connections.drained().await;
        Ok(())
    }

    /// For streams that you accept yourself, such as those of a TLS acceptor.
    ///
    /// # Examples
    ///
    /// ```
    /// use axum::Router;
    /// use shutdown_runtime::{Shutdown, background_task, http};
    /// use tokio::net::UnixListener;
    ///
    /// #[background_task]
    /// async fn local_api(listener: UnixListener, shutdown: Shutdown) -> std::io::Result<()> {
    ///     let connections = http::Server::new().connections(Router::new(), &shutdown);
    ///     while let Some(accepted) = shutdown.run_until_requested(listener.accept()).await {
    ///         let (stream, _) = accepted?;
    ///         // Refused: as many are open as may be.
    ///         let _ = connections.serve(stream);
    ///     }
    ///     drop(listener);
    ///     connections.drained().await;
    ///     Ok(())
    /// }
    /// ```
    pub fn connections<S: HttpService>(self, service: S, shutdown: &Shutdown) -> Connections<S> {
        let permits = Arc::new(Semaphore::new(self.connections as usize));
        Connections { shared: Arc::new(Shared::new(self, shutdown)), permits, service }
    }
}

/// Connections that are served as children of one task: see [`Server::connections`].
#[derive(Debug)]
pub struct Connections<S> {
    pub(super) shared: Arc<Shared>,
    pub(super) permits: Arc<Semaphore>,
    service: S,
}

impl<S: HttpService> Connections<S> {
    /// Serves an accepted stream as a child of the task.
    ///
    /// # Errors
    ///
    /// [`SpawnError`] once the task is over, or as many connections are open as may be. The stream is then closed.
    pub fn serve<T>(&self, stream: T) -> Result<(), SpawnError>
    where
        T: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    {
        let permit = Arc::clone(&self.permits).try_acquire_owned().map_err(|_| SpawnError)?;
        self.serve_permitted(stream, None, permit)
    }

    pub(super) fn serve_permitted<T>(
        &self,
        stream: T,
        peer: Option<SocketAddr>,
        permit: OwnedSemaphorePermit,
    ) -> Result<(), SpawnError>
    where
        T: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    {
        let (shared, service) = (Arc::clone(&self.shared), self.service.clone());
        let connection = connection::run(stream, peer, service, shared, permit);
        self.shared.shutdown.spawn(connection).map(drop)
    }

    /// Waits until every connection is over, upgraded ones among them. Before the task is told to stop they go on, so this
    /// waits for that too.
    pub async fn drained(&self) {
        // The semaphore is never closed, so that there is no error.
        let _ = self.permits.acquire_many(self.shared.limits.connections).await;
    }
}
