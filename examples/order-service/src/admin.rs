//! The probes. Their server is the last to stop: liveness answers to the very end, and readiness is the plan's own
//! (R-SHUT-3, R-SHUT-CFG-3, R-SHUT-CFG-4).

use std::io;

use shutdown_runtime::{Shutdown, background_task, http};
use tokio::net::TcpListener;

/// Serves `/livez` and `/readyz`.
#[background_task(budget = "5s")]
pub async fn admin_api(listener: TcpListener, shutdown: Shutdown) -> io::Result<()> {
    http::serve(listener, http::health(shutdown.readiness()), &shutdown).await
}
