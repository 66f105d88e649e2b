//! For tests: a plan, a part or a single task under tokio's paused clock, stops by script, a stop or a kill at every await, and
//! assertions about the report (feature `test-util`).
//!
//! | to test | write |
//! |---|---|
//! | a plan | [`start`], [`start_within`] |
//! | a part, or a task with what it uses | [`alone`], then as a plan |
//! | a task's function as written | [`lease`] and [`TestStop`] for its arguments |
//! | signals and requests at given moments | [`Script`] |
//! | that a stop at any await loses nothing | [`stop_at_every_await`] |
//! | that a kill at any await loses nothing | [`kill_at_every_await`] |
//! | what the report says | [`ReportAssertions`] |
//!
//! Use it under `#[tokio::test(start_paused = true)]`: time then passes by itself as soon as everyone waits, so that hours cost
//! nothing and every run is the same. Closes and hooks run on the runtime, where that clock sees them (and where they must not
//! block); no signal of the process is read, and no watchdog runs.

mod alone;
mod assertions;
mod awaits;
mod every_await;
mod kill;
mod script;
mod stop;
mod test_stop;

pub use alone::{Alone, Nothing, alone};
pub use assertions::ReportAssertions;
pub use every_await::{EveryAwait, Swept, SweptUntil};
pub use kill::kill_at_every_await;
pub use script::{Played, Script, ScriptError};
pub use stop::stop_at_every_await;
pub use test_stop::{TestStop, lease};

use std::time::Duration;

use crate::driver::{self, Aside, Options, Running};
use crate::error::StartError;
use crate::plan::Plan;

/// Starts a plan in a test. No signal is read and no watchdog runs; under `start_paused = true` time passes by itself.
///
/// # Errors
///
/// [`StartError`] if a lease is not accounted for.
///
/// # Examples
///
/// ```
/// use shutdown_runtime::{Shutdown, background_task, shutdown_plan, testing};
///
/// #[background_task]
/// async fn api(shutdown: Shutdown) {
///     shutdown.requested().await;
/// }
///
/// #[shutdown_plan(budget = "30s")]
/// struct Service {
///     ingress: api,
/// }
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)]
/// # async fn main() {
/// let running = testing::start(Service { ingress: api() }).unwrap();
/// running.handle().request("the test");
/// assert!(running.stopped().await.is_clean());
/// # }
/// ```
pub fn start<P: Plan>(plan: P) -> Result<Running, StartError> {
    start_with(plan, Options::default())
}

/// As [`start`], where the platform grants only `total`.
///
/// # Errors
///
/// As [`start`].
pub fn start_within<P: Plan>(plan: P, total: Duration) -> Result<Running, StartError> {
    start_with(plan, Options { total: Some(total), ..Options::default() })
}

fn start_with<P: Plan>(plan: P, options: Options) -> Result<Running, StartError> {
    driver::start(plan, Options { aside: Aside::Runtime, ..options }).map_err(|refused| refused.error)
}
