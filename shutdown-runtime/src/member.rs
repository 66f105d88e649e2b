//! A member while it runs: its phase's signal, its children, its limit, and how it ended.

use std::fmt;
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use tokio::runtime::Handle;
use tokio::time::Instant;

use crate::announcement::Announcement;
use crate::children::Children;
use crate::counters::Counters;
use crate::graph::MemberSpec;
use crate::ledger::{MemberLedger, lock};
use crate::metering;
use crate::notice::Notice;
use crate::output::TaskResult;
use crate::readiness::Readiness;
use crate::trigger::Trigger;
use crate::unit::Units;

/// What all members of a plan share.
#[derive(Debug)]
pub(crate) struct PlanState {
    plan: &'static str,
    pub(crate) trigger: Arc<Trigger>,
    pub(crate) readiness: Readiness,
    /// Children may be spawned from any thread.
    pub(crate) runtime: Handle,
    /// The tasks that have not ended; what is not yet started counts.
    living: AtomicUsize,
}

impl PlanState {
    pub(crate) fn new(plan: &'static str, trigger: &Arc<Trigger>, runtime: &Handle) -> Self {
        Self {
            plan,
            runtime: runtime.clone(),
            trigger: Arc::clone(trigger),
            readiness: Readiness::default(),
            living: AtomicUsize::new(0),
        }
    }

    pub(crate) fn expect_tasks(&self, count: usize) {
        self.living.store(count, Ordering::Release);
        metering::live_tasks(self.plan, count);
    }

    /// Returns whether that was the last one.
    pub(crate) fn task_ended(&self) -> bool {
        let before = self.living.fetch_sub(1, Ordering::AcqRel);
        metering::live_tasks(self.plan, before.saturating_sub(1));
        before == 1
    }
}

/// How a member's future ended.
#[derive(Debug)]
pub(crate) enum End {
    /// It returned.
    Returned(TaskResult),
    /// It panicked, with this text.
    Panicked(String),
    /// `stop = "drop"`: its phase stopped, and it was dropped.
    Dropped,
}

/// A member as its own code holds it.
///
/// Behind a trait object, since rustc asks for every task's future whether it is `Send`. A type with a `&'static` or a
/// trait object inside is walked anew each time, to its last field, which for this one took half a task's compile time.
#[derive(Clone)]
pub(crate) struct SharedMember(Arc<dyn AnyMember>);

trait AnyMember: Send + Sync {
    fn state(&self) -> &MemberState;
}

impl AnyMember for MemberState {
    fn state(&self) -> &Self {
        self
    }
}

impl SharedMember {
    pub(crate) fn new(state: &Arc<MemberState>) -> Self {
        Self(Arc::<MemberState>::clone(state))
    }
}

impl Deref for SharedMember {
    type Target = MemberState;

    fn deref(&self) -> &MemberState {
        self.0.state()
    }
}

impl fmt::Debug for SharedMember {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Member").field(&self.spec.name).finish()
    }
}

/// A member as its own code and the driver see it.
#[derive(Debug)]
pub(crate) struct MemberState {
    pub(crate) spec: &'static MemberSpec,
    /// The stop of its phase: one for all of its members.
    pub(crate) phase: Arc<Notice>,
    pub(crate) plan: Arc<PlanState>,
    pub(crate) children: Arc<Children>,
    pub(crate) ledger: Arc<MemberLedger>,
    /// What its units of work take, where it declared how long one may.
    pub(crate) units: Option<Arc<Units>>,
    /// What it counts for the report.
    pub(crate) counters: Arc<Counters>,
    /// Its word that it is ready, where it said that it would give it.
    pub(crate) announcement: Option<Announcement>,
    deadline: Mutex<Option<Instant>>,
    end: Mutex<Option<End>>,
    /// Whether the future ended before any stop.
    ended_early: AtomicBool,
    /// Whether its future is being dropped right now.
    in_drop: AtomicBool,
}

impl MemberState {
    pub(crate) fn new(
        spec: &'static MemberSpec,
        phase: &Arc<Notice>,
        plan: &Arc<PlanState>,
        ledger: Arc<MemberLedger>,
    ) -> Arc<Self> {
        Arc::new(Self {
            spec,
            phase: Arc::clone(phase),
            plan: Arc::clone(plan),
            children: Children::of(spec.name, phase),
            ledger,
            units: Units::of(spec),
            counters: Arc::default(),
            announcement: spec.behaviour.ready_within.map(|_| Announcement::default()),
            deadline: Mutex::new(None),
            end: Mutex::new(None),
            ended_early: AtomicBool::new(false),
            in_drop: AtomicBool::new(false),
        })
    }

    /// Whether it counts as started; one that does not say so itself does from the moment it is spawned.
    pub(crate) fn is_ready(&self) -> bool {
        self.announcement.as_ref().is_none_or(Announcement::was_said)
    }

    pub(crate) fn deadline(&self) -> Option<Instant> {
        *lock(&self.deadline)
    }

    pub(crate) fn limit(&self, deadline: Instant) {
        *lock(&self.deadline) = Some(deadline);
    }

    /// `early`: no stop had begun.
    pub(crate) fn record(&self, end: End, early: bool) {
        self.ended_early.store(early, Ordering::Release);
        *lock(&self.end) = Some(end);
    }

    pub(crate) fn take_end(&self) -> Option<End> {
        lock(&self.end).take()
    }

    /// Whether its future ended before any stop.
    pub(crate) fn ended_before_the_stop(&self) -> bool {
        self.ended_early.load(Ordering::Acquire)
    }

    /// Its future begins, or ends, to be dropped.
    pub(crate) fn being_dropped(&self, now: bool) {
        self.in_drop.store(now, Ordering::Release);
    }

    /// Whether its future is being dropped right now: a destructor that takes its time, or panics and prints why.
    pub(crate) fn is_being_dropped(&self) -> bool {
        self.in_drop.load(Ordering::Acquire)
    }
}
