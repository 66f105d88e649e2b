//! The loop of a periodic task: looks at the stop first, starts no iteration after one, never cuts one short.

use std::time::Duration;

use tokio::time::{Instant, Interval, MissedTickBehavior};

use crate::graph::{MemberSpec, OnError};
use crate::guarded::tell;
use crate::metering;
use crate::output::{BoxError, TaskResult};
use crate::shutdown::Shutdown;
use crate::unit::{Measured, Work};

/// Longer than any service lives, and short enough for a clock to count.
const LONGEST_INTERVAL: Duration = Duration::from_secs(10 * 365 * 24 * 3_600);
/// The longest wait after errors.
const LONGEST_WAIT: Duration = Duration::from_secs(30);
/// The shortest time between two lines about the errors of one task.
const BETWEEN_LINES: Duration = Duration::from_secs(5);

/// The ticks of one periodic task, and what its iterations came to.
///
/// Ticks that were missed are delayed, not made up for (`R-SHUT-SCHED-1`).
#[derive(Debug)]
pub(crate) struct Ticks {
    spec: &'static MemberSpec,
    shutdown: Shutdown,
    interval: Interval,
    every: Duration,
    failures: u32,
    not_before: Option<Instant>,
    iteration: Option<Measured>,
    begun: Option<Instant>,
    last_line: Option<Instant>,
    unsaid: u32,
    error: Option<BoxError>,
    done: bool,
    /// Whether the final iteration of a `last = true` has begun.
    last_begun: bool,
}

impl Ticks {
    /// The first tick is due at once. `every` is not zero: that is refused at the start.
    pub(crate) fn new(spec: &'static MemberSpec, every: Duration, shutdown: &Shutdown) -> Self {
        let mut interval = tokio::time::interval(every.clamp(Duration::from_nanos(1), LONGEST_INTERVAL));
        interval.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Self {
            spec,
            shutdown: shutdown.clone(),
            interval,
            every,
            failures: 0,
            not_before: None,
            iteration: None,
            begun: None,
            last_line: None,
            unsaid: 0,
            error: None,
            done: false,
            last_begun: false,
        }
    }

    /// Waits for the next iteration; `false` once none may begin any more.
    pub(crate) async fn next(&mut self) -> bool {
        if self.done {
            return false;
        }
        let begins = self.due().await || self.last();
        if begins {
            self.iteration = self.shutdown.measure(Work::Iteration);
            self.begun = Some(Instant::now());
        }
        begins
    }

    /// Waits for the next tick; `false` once the stop has come.
    async fn due(&mut self) -> bool {
        if self.shutdown.is_requested() {
            return false;
        }
        let (interval, not_before) = (&mut self.interval, self.not_before.take());
        let due = async {
            interval.tick().await;
            if let Some(instant) = not_before {
                tokio::time::sleep_until(instant).await;
            }
        };
        // Biased towards the stop: a tick that is due in the same instant starts nothing.
        self.shutdown.run_until_requested(due).await.is_some() && !self.shutdown.is_requested()
    }

    /// Whether the stop still has its final iteration to come: a flusher's (`last = true`), and but one.
    const fn last(&mut self) -> bool {
        let begins = self.spec.behaviour.last && !self.last_begun;
        self.last_begun = true;
        begins
    }

    /// Takes an iteration's result: an error is logged and delays the next one, or ends the loop.
    pub(crate) fn record(&mut self, result: TaskResult) {
        self.iteration = None;
        if let Some(begun) = self.begun.take() {
            metering::iteration(self.spec.name, begun.elapsed());
        }
        match result {
            Ok(()) => self.failures = 0,
            Err(error) if self.shutdown.is_draining() => {
                // Whatever `on_error` says: an error during the drain is a failure.
                self.error.get_or_insert(error);
            }
            Err(error) if self.spec.behaviour.on_error == OnError::Shutdown => {
                self.error = Some(error);
                self.done = true;
            }
            Err(error) => {
                self.failures = self.failures.saturating_add(1);
                if self.spec.behaviour.fail_after.is_some_and(|most| self.failures >= most) {
                    self.error = Some(error);
                    self.done = true;
                } else {
                    self.back_off(&error);
                }
            }
        }
    }

    fn back_off(&mut self, error: &BoxError) {
        let factor = 1u32.checked_shl(self.failures).unwrap_or(u32::MAX);
        let wait = self.every.saturating_mul(factor).min(LONGEST_WAIT.max(self.every));
        let now = Instant::now();
        self.not_before = now.checked_add(wait);
        if self.last_line.is_none_or(|last| now.duration_since(last) >= BETWEEN_LINES) {
            tell!(warn,
                member = self.spec.name,
                error = %error,
                in_a_row = self.failures,
                unsaid = self.unsaid,
                next_in = ?wait,
                "an iteration failed",
            );
            self.last_line = Some(now);
            self.unsaid = 0;
        } else {
            self.unsaid = self.unsaid.saturating_add(1);
        }
    }

    /// What the task comes to.
    pub(crate) fn finish(self) -> TaskResult {
        self.error.map_or(Ok(()), Err)
    }
}

/// An argument of a periodic task: cloned for each iteration.
#[diagnostic::on_unimplemented(
    message = "[not-clone] an argument of a periodic task is cloned for each iteration, and `{Self}` is not `Clone`",
    label = "not `Clone`",
    note = "take it as `&mut {Self}`: state that the loop owns and lends to each iteration"
)]
pub trait EachIteration {
    /// The iteration's own copy.
    #[must_use]
    fn for_iteration(&self) -> Self;
}

#[diagnostic::do_not_recommend]
impl<T: Clone> EachIteration for T {
    fn for_iteration(&self) -> Self {
        self.clone()
    }
}
