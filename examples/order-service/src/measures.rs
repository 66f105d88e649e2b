//! The metrics: counted anywhere, read at `/metrics`.

use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};

use crate::start_error::StartError;

/// Turns counting on; the handle gives what was counted.
pub fn start() -> Result<PrometheusHandle, StartError> {
    PrometheusBuilder::new().install_recorder().map_err(|error| StartError::Metrics(error.to_string()))
}
