//! Why a plan does not start, and why a call is refused.

use std::fmt;
use std::panic::Location;

/// A child was refused: its member is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpawnError;

impl fmt::Display for SpawnError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the member is over: it takes no more children")
    }
}

impl std::error::Error for SpawnError {}

/// A critical section was refused or cut.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CriticalError {
    /// Less time was left than it said it needs.
    NoTime {
        /// What it needs.
        need: std::time::Duration,
        /// What was left.
        left: std::time::Duration,
    },
    /// The member was over.
    Refused,
    /// It panicked, with this text.
    Panicked(String),
    /// The member's budget was over before it ended.
    Cut,
}

impl fmt::Display for CriticalError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoTime { need, left } => write!(formatter, "needs {need:?}, and only {left:?} are left"),
            Self::Refused => formatter.write_str("the member is over: it begins no critical section"),
            Self::Panicked(text) => write!(formatter, "the critical section panicked: {text}"),
            Self::Cut => {
                formatter.write_str("the member's budget was over before the critical section ended")
            }
        }
    }
}

impl std::error::Error for CriticalError {}

/// Why a plan did not start.
#[derive(Debug)]
#[non_exhaustive]
pub enum StartError {
    /// Another plan runs in this process.
    AlreadyRunning,
    /// The signals could not be taken over, or the thread that reads them could not be started.
    Signals(std::io::Error),
    /// There is no tokio runtime here, or it could not be built.
    Runtime(std::io::Error),
    /// A lease that no member holds: nothing would wait for it before the close.
    UnaccountedLease {
        /// The resource.
        resource: &'static str,
        /// The `.lease()` call.
        place: &'static Location<'static>,
    },
    /// A member holds a lease of a resource that the plan does not close.
    ForeignLease {
        /// The member.
        member: &'static str,
        /// The resource's type.
        resource: &'static str,
        /// Where it was leased.
        place: &'static Location<'static>,
    },
    /// A member holds a lease of an instance that the plan closes before, or together with, that member. What the compiler
    /// could not tell apart: several instances of one part, a type parameter that hides a lease.
    ClosesTooEarly {
        /// The member.
        member: &'static str,
        /// The resource's type.
        resource: &'static str,
        /// Where it was leased.
        place: &'static Location<'static>,
    },
    /// A `Resource` was made in `main` and stands in no plan.
    ResourceOutsidePlan {
        /// The resource.
        resource: &'static str,
        /// The `Resource::new` call.
        place: &'static Location<'static>,
    },
    /// A periodic task's interval is zero.
    ZeroInterval {
        /// The task.
        task: &'static str,
    },
    /// `SHUTDOWN_BUDGET` is no duration.
    BadBudget(String),
    /// The body of `main` returned an error.
    Body(String),
    /// The body of `main` panicked.
    BodyPanicked(String),
    /// A signal came before the service had started.
    Interrupted(crate::reason::Reason),
}

impl fmt::Display for StartError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AlreadyRunning => formatter.write_str("another shutdown plan is running in this process"),
            Self::Signals(error) => write!(formatter, "the signal handlers cannot be installed: {error}"),
            Self::Runtime(error) => write!(formatter, "the tokio runtime cannot be had: {error}"),
            Self::UnaccountedLease { resource, place } => write!(
                formatter,
                "the lease of `{resource}` made at {place} is held by no member of the plan, so nothing would wait for it; \
                 give it to a task, or write `uses({resource})` on the task that hides it"
            ),
            Self::ForeignLease { member, resource, place } => write!(
                formatter,
                "`{member}` holds a lease of a `{resource}` that is not the one in the plan, leased at {place}"
            ),
            Self::ClosesTooEarly { member, resource, place } => write!(
                formatter,
                "`{member}` holds a lease of a `{resource}` that closes before `{member}` has been waited for, leased at {place}"
            ),
            Self::ResourceOutsidePlan { resource, place } => write!(
                formatter,
                "the `Resource<{resource}>` made at {place} stands in no field of the plan, so nothing would close it"
            ),
            Self::ZeroInterval { task } => write!(formatter, "the interval of `{task}` is zero"),
            Self::BadBudget(text) => {
                write!(formatter, "SHUTDOWN_BUDGET={text} is no duration such as \"10s\" or \"1m 30s\"")
            }
            Self::Body(text) => formatter.write_str(text),
            Self::BodyPanicked(text) => write!(formatter, "the start-up panicked: {text}"),
            Self::Interrupted(reason) => write!(formatter, "stopped during start-up: {reason}"),
        }
    }
}

impl std::error::Error for StartError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Signals(error) | Self::Runtime(error) => Some(error),
            _ => None,
        }
    }
}
