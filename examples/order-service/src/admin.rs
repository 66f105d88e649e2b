//! The probes and the metrics. Their server is the last to stop: liveness answers to the very end, readiness is the plan's own,
//! and what a stop does is still scraped (R-SHUT-3, R-SHUT-CFG-3, R-SHUT-CFG-4, R-SHUT-OBS-2).

use std::io;

use axum::Router;
use axum::extract::State;
use axum::routing::get;
use metrics_exporter_prometheus::PrometheusHandle;
use shutdown_runtime::{Shutdown, background_task, http};
use tokio::net::TcpListener;
use tokio::time::Instant;

/// Serves `/livez`, `/readyz` and `/metrics`.
#[background_task(budget = "5s")]
pub async fn admin_api(
    listener: TcpListener,
    metrics: PrometheusHandle,
    shutdown: Shutdown,
) -> io::Result<()> {
    // Ends with the stop, whose time it counts: a child, since this task has something to serve meanwhile.
    let _ = shutdown.spawn(count_the_stop(shutdown.clone()));
    let scrape = Router::new()
        .route("/metrics", get(async |State(metrics): State<PrometheusHandle>| metrics.render()));
    let routes = http::health(shutdown.readiness()).merge(scrape.with_state(metrics));
    http::serve(listener, routes, &shutdown).await
}

/// How long the stop has taken so far, for as long as somebody can ask.
async fn count_the_stop(shutdown: Shutdown) {
    let taken = metrics::gauge!("app_shutdown_duration_seconds");
    taken.set(0.0);
    shutdown.draining().await;
    let begun = Instant::now();
    while shutdown.sleep(std::time::Duration::from_millis(100)).await {
        taken.set(begun.elapsed().as_secs_f64());
    }
}
