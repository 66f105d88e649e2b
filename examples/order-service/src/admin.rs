//! The probes. Their server is the last to stop: liveness answers to the very end, and readiness is the plan's own
//! (R-SHUT-3, R-SHUT-CFG-3, R-SHUT-CFG-4).

use std::io;

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::get;
use shutdown_runtime::{Readiness, Shutdown, background_task};
use tokio::net::TcpListener;

/// Serves `/livez` and `/readyz`.
#[background_task(budget = "5s")]
pub async fn admin_api(listener: TcpListener, shutdown: Shutdown) -> io::Result<()> {
    let routes = Router::new()
        .route("/livez", get(|| async { "alive\n" }))
        .route("/readyz", get(readyz))
        .with_state(shutdown.readiness());
    axum::serve(listener, routes).with_graceful_shutdown(shutdown.requested()).await
}

async fn readyz(State(readiness): State<Readiness>) -> (StatusCode, &'static str) {
    if readiness.is_ready() {
        (StatusCode::OK, "ready\n")
    } else {
        (StatusCode::SERVICE_UNAVAILABLE, "not ready\n")
    }
}
