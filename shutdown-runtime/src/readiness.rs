//! Whether the service wants new traffic: the one source of truth for the readiness probe (`R-SHUT-3`).

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The plan's readiness: on once every task has started, off from the first instant of a stop.
///
/// Only the plan changes it. Hand it to the probe's handler.
///
/// # Examples
///
/// ```
/// use shutdown_runtime::{Readiness, Shutdown};
///
/// fn readyz(readiness: &Readiness) -> u16 {
///     if readiness.is_ready() { 200 } else { 503 }
/// }
///
/// # fn example(shutdown: &Shutdown) -> u16 {
/// let readiness = shutdown.readiness();
/// readyz(&readiness)
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Readiness {
    ready: Arc<AtomicBool>,
}

impl Readiness {
    /// Whether the service wants new traffic now.
    pub fn is_ready(&self) -> bool {
        self.ready.load(Ordering::Acquire)
    }

    /// A service that was asked to stop before it had started never becomes ready.
    pub(crate) fn turn_on_unless(&self, stopping: bool) {
        self.ready.store(!stopping, Ordering::Release);
    }

    /// Returns whether it was on.
    pub(crate) fn turn_off(&self) -> bool {
        self.ready.swap(false, Ordering::AcqRel)
    }
}
