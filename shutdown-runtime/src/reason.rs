//! Why a service stops.

use std::fmt;
use std::sync::Arc;

/// A signal that asks for a stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Signal {
    /// SIGTERM; on Windows the console's close, logoff or shutdown.
    Terminate,
    /// SIGINT; on Windows ctrl-c or ctrl-break.
    Interrupt,
}

impl Signal {
    /// The signal's number, of which exit codes are made: 15 or 2.
    pub const fn number(self) -> u8 {
        match self {
            Self::Terminate => 15,
            Self::Interrupt => 2,
        }
    }

    /// `SIGTERM` or `SIGINT`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Terminate => "SIGTERM",
            Self::Interrupt => "SIGINT",
        }
    }
}

/// What started the stop; the first trigger gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// The platform or a person asked.
    Signal(Signal),
    /// `ShutdownHandle::request` or `request_now`, with the caller's text.
    Requested(Arc<str>),
    /// A task failed: its name and the error's text.
    Failed(&'static str, Arc<str>),
    /// A task panicked: its name and the panic's text.
    Panicked(&'static str, Arc<str>),
    /// A task with `on_exit = "shutdown"` ended.
    Finished(&'static str),
    /// Every task had ended.
    AllEnded,
}

impl Reason {
    /// Whether the platform announced the stop, so that its `preStop` hook has run and its clock is ticking.
    pub const fn is_announced(&self) -> bool {
        matches!(self, Self::Signal(_))
    }

    /// Whether it was a failure, which makes the exit code 1 whatever follows.
    pub const fn is_failure(&self) -> bool {
        matches!(self, Self::Failed(..) | Self::Panicked(..))
    }

    /// Whether the service had come to its natural end.
    pub const fn is_natural(&self) -> bool {
        matches!(self, Self::Finished(_) | Self::AllEnded)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Signal(signal) => formatter.write_str(signal.name()),
            Self::Requested(text) => write!(formatter, "requested: {text}"),
            Self::Failed(task, text) => write!(formatter, "`{task}` failed: {text}"),
            Self::Panicked(task, text) => write!(formatter, "`{task}` panicked: {text}"),
            Self::Finished(task) => write!(formatter, "`{task}` finished"),
            Self::AllEnded => formatter.write_str("all tasks ended"),
        }
    }
}
