//! The test kit, and what it finds: sweeps over every await, scripts, assertions, single tasks.

#![allow(clippy::unused_async, reason = "a close is async by its contract, awaits or not")]

mod alone;
mod assertions;
mod cancel_safety;
mod database;
mod guide;
mod kills;
mod pools;
mod rerun;
mod scripts;
mod stops;
mod support;
mod topic;
