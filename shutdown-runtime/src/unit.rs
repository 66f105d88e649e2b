//! The units of one member's work: measured, counted where one takes longer than was declared, and told of long before
//! any stop has to wait for it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::time::Instant;

use crate::graph::MemberSpec;
use crate::guarded::tell;
use crate::metering;

/// How long an iteration has run, at the least, before one looks whether it still does: a limit of milliseconds is no
/// reason to wake every few of them.
const LEAST_PATIENCE: Duration = Duration::from_secs(1);
/// The least time between two lines about one task's units, of whatever kind, in milliseconds.
const BETWEEN_LINES: u64 = 60_000;
/// No iteration runs.
const IDLE: u64 = 0;

/// What one kind of work is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Work {
    /// One iteration of a periodic task; no two run at the same time.
    Iteration,
    /// What `Shutdown::unit` runs.
    Unit,
}

/// The units of one member that declared how long one may take. Neither a lock nor an allocation is on their path.
#[derive(Debug)]
pub(crate) struct Units {
    member: &'static str,
    limit: Duration,
    /// What the moments below are counted from, in milliseconds and from 1.
    began: Instant,
    over_limit: AtomicU64,
    /// When the next line about units that are over may be written.
    next_line: AtomicU64,
    unsaid: AtomicU64,
    /// When the iteration that runs now began.
    iteration: AtomicU64,
}

impl Units {
    /// `None` where the member declared no limit.
    pub(crate) fn of(spec: &'static MemberSpec) -> Option<Arc<Self>> {
        let limit = Duration::from_millis(spec.behaviour.unit?.millis());
        Some(Arc::new(Self {
            member: spec.name,
            limit,
            began: Instant::now(),
            over_limit: AtomicU64::new(0),
            next_line: AtomicU64::new(0),
            unsaid: AtomicU64::new(0),
            iteration: AtomicU64::new(IDLE),
        }))
    }

    /// How many took longer than the limit.
    pub(crate) fn over_limit(&self) -> u64 {
        self.over_limit.load(Ordering::Relaxed)
    }

    /// Begins one; it is over when the value is dropped, also where a panic or an abort drops it.
    pub(crate) fn begin(self: &Arc<Self>, work: Work) -> Measured {
        let begun = Instant::now();
        if work == Work::Iteration {
            self.iteration.store(self.moment(begun), Ordering::Relaxed);
        }
        Measured { units: Arc::clone(self), work, begun }
    }

    fn moment(&self, instant: Instant) -> u64 {
        let since = instant.saturating_duration_since(self.began).as_millis();
        u64::try_from(since).unwrap_or(u64::MAX).saturating_add(1)
    }

    /// Whether a line may be written now; of those that ask in the same moment just one may.
    fn may_speak(&self, now: u64) -> bool {
        let next = self.next_line.load(Ordering::Relaxed);
        let after = now.saturating_add(BETWEEN_LINES);
        now >= next
            && self.next_line.compare_exchange(next, after, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }

    fn over(&self, work: Work, elapsed: Duration, now: Instant) {
        self.over_limit.fetch_add(1, Ordering::Relaxed);
        metering::unit_over_limit(self.member);
        if !self.may_speak(self.moment(now)) {
            self.unsaid.fetch_add(1, Ordering::Relaxed);
            return;
        }
        let (member, limit) = (self.member, self.limit);
        let unsaid = self.unsaid.swap(0, Ordering::Relaxed);
        match work {
            Work::Iteration => {
                tell!(warn, member, ?elapsed, ?limit, unsaid, "an iteration took longer than its limit");
            }
            Work::Unit => {
                tell!(warn, member, ?elapsed, ?limit, unsaid, "a unit of work took longer than its limit");
            }
        }
    }

    /// Tells once of an iteration that is still running past its limit, where a line may be written: it may never end, and then nothing else would.
    ///
    /// One timer for all iterations, which pay nothing for it: it wakes when the one at hand would be over its limit,
    /// or after as much time where none runs. It runs beside the task, so that its wakes poll no user's code; and sees one
    /// that blocks its thread only if another thread happens to drive the runtime's clock.
    pub(crate) async fn watch_iterations(self: Arc<Self>) {
        let patience = self.limit.max(LEAST_PATIENCE);
        let (mut told, mut wait) = (IDLE, patience);
        loop {
            tokio::time::sleep(wait).await;
            let (iteration, now) = (self.iteration.load(Ordering::Relaxed), self.moment(Instant::now()));
            let elapsed = Duration::from_millis(now.saturating_sub(iteration));
            wait = if iteration == IDLE || iteration == told {
                patience
            } else if elapsed > patience && self.may_speak(now) {
                told = iteration;
                let (member, limit) = (self.member, self.limit);
                let unsaid = self.unsaid.swap(0, Ordering::Relaxed);
                tell!(
                    warn,
                    member,
                    ?elapsed,
                    ?limit,
                    unsaid,
                    "an iteration is still running, past its limit"
                );
                patience
            } else if elapsed > patience {
                // Not before the next line is due, but then, if it still runs.
                let next = self.next_line.load(Ordering::Relaxed);
                Duration::from_millis(next.saturating_sub(now).max(1))
            } else {
                patience.saturating_sub(elapsed).saturating_add(Duration::from_millis(1))
            };
        }
    }
}

/// One unit while it runs.
#[derive(Debug)]
pub(crate) struct Measured {
    units: Arc<Units>,
    work: Work,
    begun: Instant,
}

impl Drop for Measured {
    fn drop(&mut self) {
        if self.work == Work::Iteration {
            self.units.iteration.store(IDLE, Ordering::Relaxed);
        }
        let now = Instant::now();
        let elapsed = now.saturating_duration_since(self.begun);
        if elapsed > self.units.limit {
            self.units.over(self.work, elapsed, now);
        }
    }
}
