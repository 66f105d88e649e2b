//! What the sweeps over all awaits share: how far they go, how they end, and how they fail.

use std::fmt::{self, Write as _};
use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::time::Duration;

use futures_util::FutureExt as _;

use super::awaits::Place;
use crate::guarded::panic_text;
use crate::report::Report;

/// Names the one await that a sweep is to run, where it is set.
const ONLY: &str = "SHUTDOWN_AWAIT";

/// How far a sweep over all awaits goes: [`stop`](Self::stop) or [`kill`](Self::kill) runs it.
///
/// An *await* is a poll of a task's future that ends in waiting. Run 1 acts at the first, run 2 at the second, and so on, each
/// with everything made anew, until a run has no further await.
///
/// A sweep that fails panics with the number of the await, who waited there, and how to run that one again: the environment
/// variable `SHUTDOWN_AWAIT=7`, or [`only`](Self::only).
///
/// # Examples
///
/// ```
/// use std::time::Duration;
/// use shutdown_runtime::testing::EveryAwait;
///
/// let sweep = EveryAwait::new().at_most(50).within(Duration::from_secs(5));
/// # let _ = sweep;
/// ```
#[derive(Clone, Debug)]
pub struct EveryAwait {
    most: usize,
    pub(super) within: Duration,
    only: Option<usize>,
}

impl Default for EveryAwait {
    fn default() -> Self {
        Self::new()
    }
}

impl EveryAwait {
    /// At most 256 awaits, each reached within a minute of the paused clock.
    ///
    /// # Panics
    ///
    /// If `SHUTDOWN_AWAIT` is set to what is no number from 1.
    pub fn new() -> Self {
        let only = std::env::var(ONLY).ok().map(|text| match text.parse() {
            Ok(number) if number > 0 => number,
            _ => panic!("{ONLY}={text} names no await: they are counted from 1"),
        });
        Self { most: 256, within: Duration::from_secs(60), only }
    }

    /// No more awaits than these: a task that never ends has ever more of them.
    #[must_use]
    pub const fn at_most(mut self, awaits: usize) -> Self {
        self.most = awaits;
        self
    }

    /// How long a run may take to come to its await, and a fresh run after a kill to its end.
    #[must_use]
    pub const fn within(mut self, limit: Duration) -> Self {
        self.within = limit;
        self
    }

    /// Runs that await alone, counted from 1.
    #[must_use]
    pub const fn only(mut self, number: usize) -> Self {
        self.only = Some(number);
        self
    }

    /// The awaits to run.
    pub(super) fn numbers(&self) -> std::ops::RangeInclusive<usize> {
        self.only.map_or(1..=self.most, |only| only..=only)
    }

    /// The sweep has come to its last number.
    pub(super) fn limit(&self) -> Swept {
        let until = if self.only.is_some() { SweptUntil::Only } else { SweptUntil::Limit };
        Swept { awaits: if self.only.is_some() { 1 } else { self.most }, until }
    }
}

/// What a sweep covered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Swept {
    /// At how many awaits it acted.
    pub awaits: usize,
    /// What ended it.
    pub until: SweptUntil,
}

impl Swept {
    /// After the run numbered `number`, which did not come to its await.
    pub(super) const fn before(number: usize, until: SweptUntil) -> Self {
        Self { awaits: number.saturating_sub(1), until }
    }
}

/// What ended a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SweptUntil {
    /// A run came to its end without a further await: every one was covered.
    End,
    /// A run did not come to its await within [`EveryAwait::within`]: all wait for what does not come, or comes later.
    TimeOver,
    /// The number of [`EveryAwait::at_most`] was reached; there may be more.
    Limit,
    /// One await alone was asked for.
    Only,
}

/// Runs the user's code; a panic becomes its text.
pub(super) async fn guarded<F: Future>(future: F) -> Result<F::Output, String> {
    AssertUnwindSafe(future).catch_unwind().await.map_err(panic_text)
}

/// What was done at an await, for the text of a failure.
#[derive(Clone, Copy, Debug)]
pub(super) enum Deed {
    Stopped,
    Killed,
}

impl fmt::Display for Deed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Stopped => "stopped",
            Self::Killed => "killed",
        })
    }
}

/// Ends the test: what went wrong, at which await, and how to run that one again.
pub(super) fn fail(deed: Deed, place: Option<&Place>, what: &str, report: Option<&Report>) -> ! {
    let mut text = match place {
        Some(place) => format!("{deed} at {place}: {what}"),
        None => format!("not {deed} at all, since there was no further await: {what}"),
    };
    // An assertion about the report has shown it.
    if let Some(report) = report.map(Report::to_string).filter(|report| !what.contains(report)) {
        let _ = write!(text, "\n{report}");
    }
    if let Some(place) = place {
        let thread = std::thread::current();
        // The test harness names a test's thread after it.
        let name = thread.name().filter(|name| *name != "main").unwrap_or("NAME_OF_THE_TEST");
        let _ = write!(text, "\nthat one again: {ONLY}={} cargo test -- --exact {name}", place.number);
    }
    panic!("{text}");
}
