//! What a stop came to: an outcome for every member, and where the time went.

use std::borrow::Cow;
use std::time::Duration;

use crate::graph::Kind;
use crate::ledger::Holder;
use crate::reason::Reason;

/// How a member ended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// As it should.
    Completed,
    /// `stop = "drop"`: its future was dropped, as it asked.
    Dropped,
    /// With this error.
    Failed(String),
    /// With this panic.
    Panicked(String),
    /// Its time was over; it was aborted and joined.
    TimedOut,
    /// Its time was over, and it could not be joined: blocking code.
    Abandoned,
    /// Its own work is done, and these leases are not back. For a resource: it was closed under them.
    Leaked(Vec<Holder>),
    /// It never ran.
    NotStarted,
    /// The process ended before it was known.
    Unknown,
}

impl Outcome {
    /// Whether nothing was lost by it.
    pub const fn is_clean(&self) -> bool {
        matches!(self, Self::Completed | Self::Dropped | Self::NotStarted)
    }

    /// The outcome's bare name.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Completed => "Completed",
            Self::Dropped => "Dropped",
            Self::Failed(_) => "Failed",
            Self::Panicked(_) => "Panicked",
            Self::TimedOut => "TimedOut",
            Self::Abandoned => "Abandoned",
            Self::Leaked(_) => "Leaked",
            Self::NotStarted => "NotStarted",
            Self::Unknown => "Unknown",
        }
    }

    /// Of several outcomes the one that matters most: what could not be ended before what was lost, that before what was
    /// late, and what ended before what never ran.
    const fn weight(&self) -> u8 {
        match self {
            Self::NotStarted => 0,
            Self::Dropped => 1,
            Self::Completed => 2,
            Self::TimedOut => 3,
            Self::Leaked(_) => 4,
            Self::Failed(_) => 5,
            Self::Panicked(_) => 6,
            Self::Abandoned => 7,
            Self::Unknown => 8,
        }
    }

    /// Whether it is worse than late: something was lost, or is not known.
    pub(crate) const fn is_loss(&self) -> bool {
        !self.is_clean() && !matches!(self, Self::TimedOut)
    }

    /// The one of these that matters most, the first of equals; `None` of none.
    pub(crate) fn worst<'a>(outcomes: impl Iterator<Item = &'a Self>) -> Option<&'a Self> {
        outcomes.reduce(|worst, next| if next.weight() > worst.weight() { next } else { worst })
    }

    /// The error's or the panic's text.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Failed(text) | Self::Panicked(text) => Some(text),
            _ => None,
        }
    }
}

/// One member in the report.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct MemberReport {
    /// Its name.
    pub name: &'static str,
    /// Task, hook or resource.
    pub kind: Kind,
    /// How it ended.
    pub outcome: Outcome,
    /// When it was told to stop, counted from the trigger.
    pub told: Option<Duration>,
    /// From being told until it was over.
    pub duration: Duration,
    /// What its plan grants it.
    pub budget: Duration,
    /// What this stop granted it: less than the budget where time was short.
    pub limit: Duration,
    /// The leases that it had not given back when its time was over.
    pub holders: Vec<Holder>,
    /// How many units of its work took longer than it declared, from its start on; 0 where it declared nothing.
    pub units_over_limit: u64,
    /// What it counted by name, in the order of its first counts: see [`Shutdown::counter`](crate::Shutdown::counter).
    pub counters: Vec<(&'static str, u64)>,
}

impl MemberReport {
    /// What was left of its limit.
    pub fn slack(&self) -> Duration {
        self.limit.saturating_sub(self.duration)
    }

    /// What it counted under that name; 0 where it counted nothing.
    pub fn counter(&self, name: &str) -> u64 {
        self.counters.iter().find(|(known, _)| *known == name).map_or(0, |(_, amount)| *amount)
    }
}

/// One phase in the report; the phases of a part are named `phase/phase`.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PhaseReport {
    /// Its name; inside a part, after its parents' and slashes.
    pub name: Cow<'static, str>,
    /// When it began, counted from the trigger; `None` if it was not reached.
    pub began: Option<Duration>,
    /// How it ended: the worst of its members' outcomes, those in parts below it included. Without members: `Completed`, or
    /// `Unknown` where it was not reached.
    pub outcome: Outcome,
    /// How long it took.
    pub duration: Duration,
    /// What its plan grants it: as much as the member or the part in it that is granted most.
    pub budget: Duration,
    /// Whether the stop's total time ran through it.
    pub critical: bool,
    /// Its members.
    pub members: Vec<MemberReport>,
}

impl PhaseReport {
    /// What was left of its budget.
    pub fn slack(&self) -> Duration {
        self.budget.saturating_sub(self.duration)
    }
}

/// What a stop came to. `Display` draws its timeline.
///
/// # As data
///
/// With the feature `serde` it serialises, with all that is in it. Names are in snake case and stay; every duration is in
/// seconds, as a number, and its name ends in `_seconds`; what there is none of is `null`. A [`Reason`] says by `trigger`
/// which it is, an [`Outcome`] by `end`, and both have their texts beside it; counters are an object. Nothing is read back: names
/// and places in a report are `'static`.
///
#[cfg_attr(feature = "serde", doc = "```")]
#[cfg_attr(not(feature = "serde"), doc = "```ignore")]
/// use shutdown_runtime::{Shutdown, StartError, background_task, run_with, shutdown_plan};
///
/// # #[background_task] async fn api(shutdown: Shutdown) { shutdown.requested().await }
/// # #[shutdown_plan(budget = "30s")] struct Service { api: api }
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// if let Some(report) = run_with(async { Service { api: api() } }).await? {
///     // {"plan":"Service","reason":{"trigger":"signal","signal":"SIGTERM"},"clean":true,"exit_code":0,"total_seconds":...
///     println!("{}", serde_json::to_string(&report)?);
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Report {
    /// The plan's name.
    pub plan: &'static str,
    /// Why it stopped.
    pub reason: Reason,
    /// From the trigger until the last phase was over.
    pub total: Duration,
    /// The time that there was: from the trigger until everything had to be over.
    pub granted: Duration,
    /// From the trigger until the runtime came to take it up: more than a moment only where every thread was busy.
    pub taken_up: Duration,
    /// The window before the first phase, as it was kept.
    pub window: Duration,
    /// When the window began, counted from the trigger.
    pub(crate) window_began: Duration,
    /// The phases, in the order in which they began.
    pub phases: Vec<PhaseReport>,
    /// Whether a failure was reported besides the members' outcomes.
    pub(crate) failed: bool,
    /// Whether the plan is work that ends by itself.
    pub(crate) job: bool,
}

impl Report {
    /// Every member, in the order of the phases.
    pub fn members(&self) -> impl Iterator<Item = &MemberReport> {
        self.phases.iter().flat_map(|phase| &phase.members)
    }

    /// The first member of that name.
    pub fn member(&self, name: &str) -> Option<&MemberReport> {
        self.members().find(|member| member.name == name)
    }

    /// Whether every member ended well, and no failure started the stop or followed.
    pub fn is_clean(&self) -> bool {
        !self.has_failed() && self.members().all(|member| member.outcome.is_clean())
    }

    /// Whether a failure started the stop or was reported besides the members' outcomes.
    pub(crate) const fn has_failed(&self) -> bool {
        self.failed || self.reason.is_failure()
    }

    /// The exit code: 0 for a clean stop, else 1. Of a `job` that was cut short: 128 + the signal's number, or 1 where it was
    /// asked to stop.
    pub fn exit_code(&self) -> u8 {
        match &self.reason {
            Reason::Signal(signal) if self.job => 128 + signal.number(),
            Reason::Requested(_) if self.job => 1,
            _ => u8::from(!self.is_clean()),
        }
    }

    /// The names of the phases through which the total time ran.
    pub fn critical_path(&self) -> impl Iterator<Item = &str> {
        self.phases.iter().filter(|phase| phase.critical).map(|phase| phase.name.as_ref())
    }
}
