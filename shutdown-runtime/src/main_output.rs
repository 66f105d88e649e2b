//! What the body of `main` may return.

use std::fmt;

use crate::plan::Plan;

/// What the body of `main` may return: a plan, `Result<Plan, E>`, or `Result<Option<Plan>, E>`, where `None` means that
/// there is nothing to run (a subcommand that was all there was to do).
#[diagnostic::on_unimplemented(
    message = "[bad-main] `main` cannot return `{Self}`",
    label = "expected a plan, `Result<Plan, E>` or `Result<Option<Plan>, E>` where `E: Display`",
    note = "a plan is a struct that was declared `#[shutdown_plan(budget = \"60s\")]`"
)]
pub trait MainOutput {
    /// The plan that is to run.
    type Plan: Plan;

    /// The plan, nothing, or the error's text.
    fn into_plan(self) -> Result<Option<Self::Plan>, String>;
}

#[diagnostic::do_not_recommend]
impl<P: Plan> MainOutput for P {
    type Plan = P;

    fn into_plan(self) -> Result<Option<P>, String> {
        Ok(Some(self))
    }
}

#[diagnostic::do_not_recommend]
impl<P: Plan, E: fmt::Display> MainOutput for Result<P, E> {
    type Plan = P;

    fn into_plan(self) -> Result<Option<P>, String> {
        self.map(Some).map_err(|error| format!("{error:#}"))
    }
}

#[diagnostic::do_not_recommend]
impl<P: Plan, E: fmt::Display> MainOutput for Result<Option<P>, E> {
    type Plan = P;

    fn into_plan(self) -> Result<Option<P>, String> {
        self.map_err(|error| format!("{error:#}"))
    }
}
