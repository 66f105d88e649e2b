//! Stops by script: signals and requests at given moments, through the real trigger.

use std::fmt;
use std::pin::pin;
use std::time::Duration;

use futures_util::future::{Either, select};
use tokio::time::{Instant, sleep_until, timeout};

use super::start_with;
use crate::deadline::later;
use crate::driver::Options;
use crate::error::StartError;
use crate::plan::Plan;
use crate::reason::{Reason, Signal};
use crate::report::Report;
use crate::trigger::{ShutdownHandle, Trigger};
use crate::watchdog::insists;

/// What is said about stopping, and when, counted from the start of the plan.
///
/// Signals take the way that a real one takes once it has been read; the process gets none.
///
/// # Examples
///
/// A SIGTERM is repeated, as orchestrators do, then someone presses Ctrl-C:
///
/// ```
/// use std::time::Duration;
/// use shutdown_runtime::{Shutdown, Signal, background_task, shutdown_plan, testing::Script};
///
/// #[background_task(budget = "20s")]
/// async fn slow(shutdown: Shutdown) {
///     shutdown.requested().await;
///     tokio::time::sleep(Duration::from_secs(10)).await;
/// }
///
/// #[shutdown_plan(budget = "30s")]
/// struct Service {
///     only: slow,
/// }
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)]
/// # async fn main() {
/// let second = Duration::from_secs(1);
/// let script = Script::new().terminate(second).terminate(second * 3);
/// let played = script.clone().run(Service { only: slow() }).await.unwrap();
/// assert!(played.report.is_clean(), "a repeated SIGTERM costs nothing: {}", played.report);
///
/// let played = script.interrupt(second * 4).run(Service { only: slow() }).await.unwrap();
/// assert_eq!(played.forced, Some(Signal::Interrupt));
/// assert_eq!(played.exit_code(), 130);
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Script {
    steps: Vec<(Duration, Step)>,
    total: Option<Duration>,
    patience: Duration,
}

#[derive(Clone, Debug)]
enum Step {
    Signal(Signal),
    Request(String),
    RequestNow(String),
}

impl Default for Script {
    fn default() -> Self {
        Self::new()
    }
}

impl Script {
    /// Nothing is said: the plan comes to its natural end.
    pub const fn new() -> Self {
        Self { steps: Vec::new(), total: None, patience: Duration::from_secs(3_600) }
    }

    /// A SIGTERM.
    #[must_use]
    pub fn terminate(self, at: Duration) -> Self {
        self.step(at, Step::Signal(Signal::Terminate))
    }

    /// A SIGINT. One that comes 500 ms or more after an earlier signal forces the end, as it would in a process.
    #[must_use]
    pub fn interrupt(self, at: Duration) -> Self {
        self.step(at, Step::Signal(Signal::Interrupt))
    }

    /// A [`ShutdownHandle::request`].
    #[must_use]
    pub fn request(self, at: Duration, why: impl Into<String>) -> Self {
        self.step(at, Step::Request(why.into()))
    }

    /// A [`ShutdownHandle::request_now`].
    #[must_use]
    pub fn request_now(self, at: Duration, why: impl Into<String>) -> Self {
        self.step(at, Step::RequestNow(why.into()))
    }

    /// The platform grants only `total`.
    #[must_use]
    pub const fn within(mut self, total: Duration) -> Self {
        self.total = Some(total);
        self
    }

    /// How long after the last step a stop must have begun; an hour, unless said otherwise.
    #[must_use]
    pub const fn patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    fn step(mut self, at: Duration, step: Step) -> Self {
        self.steps.push((at, step));
        self
    }

    /// Starts the plan and does what the script says, until the plan has stopped. Steps that come later are left out.
    ///
    /// # Errors
    ///
    /// [`ScriptError`] if the plan does not start, or nothing stops it.
    pub async fn run<P: Plan>(mut self, plan: P) -> Result<Played, ScriptError> {
        // Stable: of two steps at one moment the one written first comes first.
        self.steps.sort_by_key(|(at, _)| *at);
        let trigger = Trigger::new();
        let options = Options { trigger: Some(trigger.clone()), total: self.total, ..Options::default() };
        let running = start_with(plan, options).map_err(ScriptError::Start)?;
        let (board, handle) = (running.board(), running.handle());
        let mut stopped = pin!(running.stopped());
        let began = Instant::now();
        let mut first = None;
        for (at, step) in self.steps {
            let moment = pin!(sleep_until(later(began, at)));
            if let Either::Left((report, _)) = select(stopped.as_mut(), moment).await {
                return Ok(Played { report, forced: None });
            }
            if let Step::Signal(signal) = step {
                let since_first = first.map(|first| at.saturating_sub(first));
                first.get_or_insert(at);
                if insists(signal, since_first) {
                    return Ok(Played { report: board.report(), forced: Some(signal) });
                }
            }
            step.take(&trigger, &handle);
        }
        if timeout(self.patience, trigger.fired()).await.is_err() {
            return Err(ScriptError::NothingStopsIt { within: self.patience });
        }
        Ok(Played { report: stopped.await, forced: None })
    }
}

impl Step {
    fn take(self, trigger: &Trigger, handle: &ShutdownHandle) {
        match self {
            Self::Signal(signal) => trigger.fire(Reason::Signal(signal)),
            Self::Request(why) => handle.request(why),
            Self::RequestNow(why) => handle.request_now(why),
        }
    }
}

/// What came of a [`Script`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Played {
    /// The report; of a forced end as far as it was known then. `Display` draws the timeline.
    pub report: Report,
    /// The signal that forced the end: here a process would have died by it. In the test the plan runs on until its runtime is
    /// gone.
    pub forced: Option<Signal>,
}

impl Played {
    /// What a shell would show: of a forced end 128 + the signal's number, else [`Report::exit_code`].
    pub fn exit_code(&self) -> u8 {
        self.forced.map_or_else(|| self.report.exit_code(), |signal| 128 + signal.number())
    }
}

/// Why a [`Script`] came to no report.
#[derive(Debug)]
#[non_exhaustive]
pub enum ScriptError {
    /// The plan did not start.
    Start(StartError),
    /// The last step was done, and no stop began.
    NothingStopsIt {
        /// So long it was waited for.
        within: Duration,
    },
}

impl fmt::Display for ScriptError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start(error) => write!(formatter, "the plan did not start: {error}"),
            Self::NothingStopsIt { within } => {
                write!(formatter, "no stop began within {within:?} after the script's last step")
            }
        }
    }
}

impl std::error::Error for ScriptError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Start(error) => Some(error),
            Self::NothingStopsIt { .. } => None,
        }
    }
}
