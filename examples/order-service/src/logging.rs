//! The log: to standard error, by `RUST_LOG`, `info` if that is not set.

use std::io::{self, IsTerminal};

use tracing_subscriber::EnvFilter;

/// Turns the log on.
pub fn start() {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info"));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(io::stderr().is_terminal())
        .with_writer(io::stderr)
        .init();
}
