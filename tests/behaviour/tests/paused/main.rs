//! What happens at a stop, under tokio's paused clock.
//!
//! Every test starts a plan through `testing::start`, triggers a stop, and reads the report.

#![allow(clippy::unused_async, reason = "a close is async by its contract, awaits or not")]

mod budgets;
mod drain;
mod field_reports;
mod guide;
mod leases;
mod order;
mod outcomes;
mod peers;
mod periodic;
mod runtimes;
mod shutdown_api;
mod start;
mod support;
mod units;
mod ways_around;
mod window;
mod workers;
