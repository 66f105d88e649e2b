//! The log: to standard error, by `RUST_LOG`, `info` if that is not set; and the traces, where they are wanted.

use std::io::{self, IsTerminal};

use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer};

use crate::traces::Traces;

/// Turns the log on.
pub fn start(traces: Option<&Traces>) {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info"));
    let log = tracing_subscriber::fmt::layer()
        .with_ansi(io::stderr().is_terminal())
        .with_writer(io::stderr)
        .with_filter(filter);
    // The exporter's own spans would have it export for ever.
    let traces = traces.map(|traces| {
        tracing_opentelemetry::layer()
            .with_tracer(traces.tracer())
            .with_filter(EnvFilter::new("off,order_service=info,shutdown_runtime=info"))
    });
    tracing_subscriber::registry().with(log).with(traces).init();
}
