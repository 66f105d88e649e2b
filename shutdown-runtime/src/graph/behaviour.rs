//! How a task, and a plan as a whole, behave at run time, as their tables say.

use super::unit::Unit;

/// How a task learns of the stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopMode {
    /// Watches its `Shutdown`, or is periodic and looks between iterations.
    Signal,
    /// Has nothing to lose: its future is dropped at the next await.
    Drop,
    /// Ends by itself once its feeder has gone.
    Input,
}

/// What an `Err` before any stop means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnError {
    /// It starts the shutdown.
    Shutdown,
    /// It is logged; a periodic task backs off and goes on.
    Log,
}

/// What an `Ok` before any stop means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnExit {
    /// A failure: the task was meant to live as long as the service.
    Fail,
    /// The natural end of the service.
    Shutdown,
    /// A one-off job that is done.
    Continue,
}

/// How a task or a hook behaves at run time. Of it the graph reads `unit`, which must fit the budget (twice, where a `last`
/// one follows), and `at_drain`, which takes a hook out of its phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Behaviour {
    /// How it learns of the stop.
    pub stop: StopMode,
    /// What its `Err` means before a stop.
    pub on_error: OnError,
    /// What its `Ok` means before a stop.
    pub on_exit: OnExit,
    /// What one unit of its work may take, if that was written.
    pub unit: Option<Unit>,
    /// So many errors in a row start the shutdown after all, where they are logged.
    pub fail_after: Option<u32>,
    /// Whether a periodic task runs one final iteration when it is told to stop.
    pub last: bool,
    /// How long after it was spawned a task may take to say that it is ready, in milliseconds; `None` for one that counts as
    /// started when it is spawned.
    pub ready_within: Option<u64>,
    /// Whether a hook runs in the first instant of the stop, before the window and every phase.
    pub at_drain: bool,
}

impl Behaviour {
    /// The defaults of a task that is not periodic.
    pub const DEFAULT: Self = Self {
        stop: StopMode::Signal,
        on_error: OnError::Shutdown,
        on_exit: OnExit::Fail,
        unit: None,
        fail_after: None,
        last: false,
        ready_within: None,
        at_drain: false,
    };
    /// The defaults of a periodic task.
    pub const PERIODIC: Self = Self { on_error: OnError::Log, ..Self::DEFAULT };

    /// What the work that a stop may have to wait for takes at most, in milliseconds, if that was written.
    pub const fn drain(&self) -> Option<u64> {
        match self.unit {
            Some(unit) if self.last => Some(unit.millis().saturating_mul(2)),
            Some(unit) => Some(unit.millis()),
            None => None,
        }
    }
}

/// How a plan behaves as a whole when it stops. The graph reads nothing of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conduct {
    /// Whether it is work that ends by itself: a signal before that is no success.
    pub job: bool,
    /// Whether readiness stays on through the window, and turns off at its end.
    pub ready_in_window: bool,
}

impl Conduct {
    /// A service, whose readiness turns off in the first instant of a stop.
    pub const DEFAULT: Self = Self { job: false, ready_in_window: false };
}
