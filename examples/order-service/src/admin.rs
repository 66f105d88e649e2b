//! The probes and the metrics. Their server is the last to stop: liveness answers to the very end, readiness is the plan's own,
//! and what a stop does is still scraped (R-SHUT-3, R-SHUT-CFG-3, R-SHUT-CFG-4, R-SHUT-OBS-2).

use std::io;

use axum::Router;
use axum::extract::State;
use axum::routing::get;
use metrics_exporter_prometheus::PrometheusHandle;
use shutdown_runtime::{Shutdown, background_task, http};
use tokio::net::TcpListener;

/// Serves `/livez`, `/readyz` and `/metrics`.
#[background_task(budget = "5s")]
pub async fn admin_api(
    listener: TcpListener,
    metrics: PrometheusHandle,
    shutdown: Shutdown,
) -> io::Result<()> {
    let scrape = Router::new()
        .route("/metrics", get(async |State(metrics): State<PrometheusHandle>| metrics.render()));
    let routes = http::health(shutdown.readiness()).merge(scrape.with_state(metrics));
    http::serve(listener, routes, &shutdown).await
}
