//! Conducts one stop: from the trigger over readiness, window and phases to the report.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::{Either, select};
use tokio::sync::watch;
use tokio::time::{Instant, MissedTickBehavior, timeout_at};

use super::aside::Aside;
use super::tree::Branch;
use super::walk::{self, Context};
use crate::board::Board;
use crate::deadline::{later, time_plan};
use crate::graph::PlanSpec;
use crate::guarded::tell;
use crate::member::PlanState;
use crate::report::Report;
use crate::resource::BoxFuture;
use crate::span::SafeSpan;
use crate::timeline::short;
use crate::trigger::Triggered;
use crate::watchdog::Watchdog;

/// How often those who are still awaited are named.
const BETWEEN_LINES: Duration = Duration::from_secs(5);

/// Everything about one plan's stop but its members.
#[derive(Debug)]
pub(crate) struct Conductor {
    pub(crate) spec: &'static PlanSpec,
    pub(crate) state: Arc<PlanState>,
    pub(crate) board: Arc<Board>,
    pub(crate) total: Option<Duration>,
    pub(crate) aside: Aside,
    /// Kept until the stop is over: dropping it gives the signals back.
    pub(crate) _watchdog: Option<Watchdog>,
}

impl Conductor {
    /// Waits until the plan has started and for a trigger, and stops it.
    pub(crate) async fn run(self, starting: BoxFuture<'static, Branch>) -> Report {
        let tree = starting.await;
        self.state.trigger.fired().await;
        let span = SafeSpan::new(|| tracing::info_span!("shutdown", plan = self.spec.name));
        span.around(self.stop(tree)).await
    }

    async fn stop(self, mut tree: Branch) -> Report {
        let mut triggered = self.state.trigger.subscribe();
        let current = triggered.borrow_and_update().clone();
        let (reason, began) = self.state.trigger.fired().await;
        let time = time_plan(self.spec, &current, self.total);
        let granted = time.deadline.saturating_duration_since(began);
        tell!(info, %reason, time = %short(granted), plan = self.spec.name, "shutdown begins");
        self.board.begin(&reason, began, granted);
        let (lower, deadline) = watch::channel(time.deadline);
        let readiness = &self.state.readiness;
        let ready_in_window = self.spec.conduct.ready_in_window;
        let was_ready = if ready_in_window { readiness.is_ready() } else { readiness.turn_off() };
        let context = Context { board: Arc::clone(&self.board), reason, aside: self.aside, deadline };
        let hooks = tree.take_at_drain();
        let phases = async {
            walk::drain(hooks, &context, time.needed).await;
            if was_ready {
                self.window().await;
            }
            readiness.turn_off();
            walk::stop(tree, &context, Duration::ZERO).await;
        };
        let phases = std::pin::pin!(phases);
        let listen = std::pin::pin!(self.listen(triggered, &lower));
        // Listening never ends by itself.
        select(phases, listen).await;
        if self.state.trigger.current().failed {
            self.board.failure();
        }
        let mut report = self.board.report();
        report.job = self.spec.conduct.job;
        tell(&report);
        report
    }

    /// Everything still works while the platform learns that no more traffic is wanted (`R-SHUT-CFG-3`).
    async fn window(&self) {
        let mut triggered = self.state.trigger.subscribe();
        let (began, mut shown) = (Instant::now(), false);
        loop {
            let current = triggered.borrow_and_update().clone();
            let window = time_plan(self.spec, &current, self.total).window;
            if !window.is_zero() && !shown {
                shown = true;
                self.board.window_begins();
            }
            let end = self.window_end(began, &current, window);
            // A timer takes its millisecond even where nothing is left to wait for.
            if end <= Instant::now() || timeout_at(end, triggered.changed()).await.is_err() {
                break;
            }
        }
        self.board.window_over();
    }

    /// A SIGTERM that follows leaves `lame_duck` from then on.
    fn window_end(&self, began: Instant, triggered: &Triggered, window: Duration) -> Instant {
        let whole = later(began, window);
        match (triggered.terminate, &triggered.first) {
            (Some(terminate), Some((reason, _))) if !reason.is_announced() => {
                let full = Duration::from_millis(self.spec.pre_stop.saturating_add(self.spec.lame_duck));
                later(terminate, window).min(later(began, full))
            }
            _ => whole,
        }
    }

    /// Lowers the deadline when a signal follows, and names those who are still awaited.
    async fn listen(&self, mut triggered: watch::Receiver<Triggered>, deadline: &watch::Sender<Instant>) {
        let mut lines = tokio::time::interval(BETWEEN_LINES);
        lines.set_missed_tick_behavior(MissedTickBehavior::Delay);
        lines.reset();
        let mut repeated = triggered.borrow().repeated;
        loop {
            let news = {
                let line = std::pin::pin!(lines.tick());
                let news = std::pin::pin!(triggered.changed());
                matches!(select(news, line).await, Either::Left((Ok(()), _)))
            };
            if !news {
                self.still_waiting(*deadline.borrow());
                continue;
            }
            let current = triggered.borrow_and_update().clone();
            if current.repeated > repeated {
                repeated = current.repeated;
                tell!(info, repeated, "a repeated signal: the stop goes on");
            }
            let time = time_plan(self.spec, &current, self.total);
            deadline.send_if_modified(|at| {
                let lower = time.deadline < *at;
                *at = time.deadline.min(*at);
                lower
            });
        }
    }

    fn still_waiting(&self, deadline: Instant) {
        let awaited = self.board.awaited();
        if !awaited.is_empty() {
            let left = deadline.saturating_duration_since(Instant::now());
            let (members, left) = (awaited.join(", "), short(left));
            tell!(info, %members, %left, "still waiting for {members}, {left} left");
        }
    }
}

/// Waits until all have started, and turns readiness on.
pub(crate) async fn become_ready(starting: BoxFuture<'static, Branch>, state: Arc<PlanState>) -> Branch {
    let tree = starting.await;
    state.readiness.turn_on_unless(state.trigger.has_fired());
    tree
}

fn tell(report: &Report) {
    let (reason, total) = (report.reason.to_string(), short(report.total));
    // One line: the drawing is for people, and a log collector would tear it apart.
    let members: Vec<_> = report
        .members()
        .map(|member| format!("{} {} {}", member.name, member.outcome.name(), short(member.duration)))
        .collect();
    let members = members.join(", ");
    let lost = report.members().any(|member| member.outcome.is_loss());
    let path = report.critical_path().collect::<Vec<_>>().join(" -> ");
    if report.is_clean() {
        tell!(info, %reason, %total, %members, critical_path = %path, "shutdown is over");
    } else if lost || report.has_failed() {
        tell!(error, %reason, %total, %members, critical_path = %path, "shutdown is over, and was not clean");
    } else {
        tell!(warn, %reason, %total, %members, critical_path = %path, "shutdown is over, and some were late");
    }
}
