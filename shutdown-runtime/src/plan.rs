//! What a struct declared `#[shutdown_plan]` is.

use std::future::Future;
use std::time::Duration;

use crate::driver::{self, Options, Running};
use crate::entry;
use crate::error::StartError;
use crate::graph::{Graph, PlanSpec};
use crate::phase::Phases;
use crate::report::Report;

/// A root plan: a struct that was declared `#[shutdown_plan]`.
///
/// The attribute implements it, and checks the graph in the struct's own expansion.
#[diagnostic::on_unimplemented(
    message = "[part-as-whole] `{Self}` is no plan that can run by itself",
    label = "not declared with `#[shutdown_plan(budget = ...)]`",
    note = "a part of a plan stands in a field of a plan; a whole one is declared `#[shutdown_plan(budget = \"60s\")]`"
)]
pub trait Plan: Sized + Send + 'static {
    /// The plan's tables: checked when it was compiled, walked when it stops.
    const SPEC: &'static PlanSpec;

    /// Hands the members over to the driver.
    fn phases(self, phases: &mut Phases);

    /// The plan's graph, for printing.
    #[must_use]
    fn graph() -> Graph {
        Graph::new(Self::SPEC)
    }

    /// Starts every task and returns; no signal is read. For tests and embedding: trigger the stop through
    /// [`Running::handle`], and await [`Running::stopped`].
    ///
    /// # Errors
    ///
    /// [`StartError`] if a lease is not accounted for, or there is no tokio runtime here.
    fn start(self) -> Result<Running, StartError> {
        driver::start(self, Options::default()).map_err(|refused| refused.error)
    }

    /// Runs the service until it has stopped: reads the signals, and has the watchdog end the process if all else
    /// fails.
    ///
    /// # Errors
    ///
    /// [`StartError`] if it does not start; what had started has then been stopped.
    fn run(self) -> impl Future<Output = Result<Report, StartError>> {
        entry::run(self, None)
    }

    /// As [`run`](Self::run), where the platform grants less than the plan's budget: `total` counts from the trigger,
    /// without `pre_stop`, and every limit shrinks in proportion.
    ///
    /// # Errors
    ///
    /// As [`run`](Self::run).
    fn run_within(self, total: Duration) -> impl Future<Output = Result<Report, StartError>> {
        entry::run(self, Some(total))
    }
}

/// A part of a plan: a struct that was declared `#[shutdown_plan(part)]`.
#[diagnostic::on_unimplemented(
    message = "[part-as-whole] `{Self}` is no part of a plan",
    label = "not declared with `#[shutdown_plan(part)]`"
)]
pub trait Part: crate::item::Phase {
    /// The part's tables.
    const SPEC: &'static PlanSpec;
}
