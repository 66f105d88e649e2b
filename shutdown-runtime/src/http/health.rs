//! The probes' routes.

use axum::Router;
use axum::extract::State;
use axum::routing::get;
use http::StatusCode;

use crate::readiness::Readiness;

/// `/livez`: 200 as long as it is served. `/readyz`: 200 while the plan's readiness is on, else 503 with the reason as text.
///
/// Serve it from the plan's last phase, so that probes are answered until nearly the end. A stop is no reason to be
/// killed: liveness stays on.
///
/// # Examples
///
/// ```
/// use shutdown_runtime::{Shutdown, background_task, http};
/// use tokio::net::TcpListener;
///
/// #[background_task(budget = "1s")]
/// async fn probes(listener: TcpListener, shutdown: Shutdown) -> std::io::Result<()> {
///     http::serve(listener, http::health(shutdown.readiness()), &shutdown).await
/// }
/// ```
pub fn health(readiness: Readiness) -> Router {
    Router::new().route("/livez", get(async || "alive\n")).route("/readyz", get(readyz)).with_state(readiness)
}

async fn readyz(State(readiness): State<Readiness>, stop: Option<crate::Shutdown>) -> (StatusCode, String) {
    if readiness.is_ready() {
        return (StatusCode::OK, String::from("ready\n"));
    }
    let why = match stop.and_then(|stop| stop.reason()) {
        Some(reason) => format!("stopping: {reason}\n"),
        None => String::from("starting\n"),
    };
    (StatusCode::SERVICE_UNAVAILABLE, why)
}
