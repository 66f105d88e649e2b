//! For tests of a plan: under tokio's paused clock, closes and hooks run on the runtime, where the clock sees them.

use crate::driver::{self, Aside, Options, Running};
use crate::error::StartError;
use crate::plan::Plan;

/// Starts a plan in a test. No signal is read and no watchdog runs; under `start_paused = true` time passes by itself.
///
/// # Errors
///
/// [`StartError`] if a lease is not accounted for.
pub fn start<P: Plan>(plan: P) -> Result<Running, StartError> {
    driver::start(plan, Options { aside: Aside::Runtime, ..Options::default() })
        .map_err(|refused| refused.error)
}

/// As [`start`], where the platform grants only `total`.
///
/// # Errors
///
/// As [`start`].
pub fn start_within<P: Plan>(plan: P, total: std::time::Duration) -> Result<Running, StartError> {
    let options = Options { aside: Aside::Runtime, total: Some(total), ..Options::default() };
    driver::start(plan, options).map_err(|refused| refused.error)
}
