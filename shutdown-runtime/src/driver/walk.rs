//! Walks the phases by the checked tables: one begins when all that it follows are over, and not earlier.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::{Either, join, join_all, select};
use futures_util::stream::{FuturesUnordered, StreamExt as _};
use tokio::sync::watch;
use tokio::time::Instant;

use super::aside::Aside;
use super::barrier;
use super::tree::{Branch, Member, RunningPhase};
use crate::board::Board;
use crate::deadline::share;
use crate::graph::{PlanSpec, phase_budget};
use crate::guarded::tell;
use crate::metering;
use crate::reason::Reason;
use crate::resource::BoxFuture;
use crate::span::SafeSpan;

/// What stopping a phase needs to know.
#[derive(Debug)]
pub(crate) struct Context {
    pub(crate) board: Arc<Board>,
    pub(crate) reason: Reason,
    pub(crate) aside: Aside,
    /// When everything must be over; a signal may lower it.
    pub(crate) deadline: watch::Receiver<Instant>,
}

impl Context {
    /// The earlier of a member's and the plan's deadline.
    pub(crate) fn earlier(&self, deadline: Instant) -> Instant {
        deadline.min(*self.deadline.borrow())
    }

    /// Whether the future ended before the deadline, which the plan's may undercut meanwhile.
    pub(crate) async fn in_time(&self, deadline: Instant, future: impl Future<Output = ()>) -> bool {
        let mut lowered = self.deadline.clone();
        let mut future = std::pin::pin!(future);
        loop {
            let until = deadline.min(*lowered.borrow_and_update());
            let changed = std::pin::pin!(lowered.changed());
            let over = std::pin::pin!(tokio::time::timeout_at(until, future.as_mut()));
            match select(over, changed).await {
                Either::Left((ended, _)) => return ended.is_ok(),
                Either::Right((Ok(()), _)) => {}
                Either::Right((Err(_), over)) => return over.await.is_ok(),
            }
        }
    }
}

/// Which phases may begin.
struct Ready {
    spec: &'static PlanSpec,
    /// For each field how many of those that it directly follows are not over.
    waiting: Vec<usize>,
    /// For each field the last of its followers, and each with the one before it: lists in one allocation.
    last_follower: Vec<Option<usize>>,
    followers: Vec<(usize, Option<usize>)>,
    next: Vec<usize>,
}

impl Ready {
    fn new(spec: &'static PlanSpec) -> Self {
        let waiting: Vec<_> = spec.fields.iter().map(|field| field.after.len()).collect();
        let mut last_follower = vec![None; spec.fields.len()];
        let mut followers = Vec::with_capacity(waiting.iter().sum());
        for (number, field) in spec.fields.iter().enumerate() {
            for earlier in field.after {
                if let Some(last) = last_follower.get_mut(usize::from(*earlier)) {
                    followers.push((number, last.replace(followers.len())));
                }
            }
        }
        // Popped from the end, so the topmost begins first.
        let next = (0..waiting.len()).rev().filter(|number| waiting[*number] == 0).collect();
        Self { spec, waiting, last_follower, followers, next }
    }

    fn over(&mut self, number: usize) {
        let mut last = self.last_follower[number].take();
        while let Some(edge) = last {
            let (follower, before) = self.followers[edge];
            self.waiting[follower] -= 1;
            if self.waiting[follower] == 0 {
                self.next.push(follower);
            }
            last = before;
        }
    }

    /// The longest path from the beginning of this phase to the end of this plan, and the part of it after the phase.
    fn path(&self, number: usize) -> (Duration, Duration) {
        let path = self.spec.path.get(number).copied().unwrap_or(0);
        let own = phase_budget(&self.spec.fields[number]);
        (Duration::from_millis(path), Duration::from_millis(path.saturating_sub(own)))
    }
}

/// Stops a plan or a part. `tail` is the longest path that follows after it in its parents.
pub(crate) fn stop(branch: Branch, context: &Context, tail: Duration) -> BoxFuture<'_, ()> {
    Box::pin(async move {
        let mut ready = Ready::new(branch.spec);
        let mut phases: Vec<_> = branch.phases.into_iter().map(Some).collect();
        let mut stopping = FuturesUnordered::new();
        loop {
            // Empty phases that follow each other pass in one moment: nobody is there to be told or awaited.
            let mut passing = Vec::new();
            while let Some(number) = ready.next.pop() {
                let Some(phase) = phases.get_mut(number).and_then(Option::take) else { continue };
                if phase.members.is_empty() && phase.parts.is_empty() {
                    passing.push(phase.number);
                    ready.over(number);
                    continue;
                }
                let (path, after) = ready.path(number);
                let stop = stop_phase(phase, context, path.saturating_add(tail), after.saturating_add(tail));
                stopping.push(async move {
                    stop.await;
                    number
                });
            }
            context.board.phases_pass(&passing);
            match stopping.next().await {
                Some(number) => ready.over(number),
                None => break,
            }
        }
        // Only tables with a cycle leave any: they never pass the compiler, but nobody is left behind.
        for phase in phases.into_iter().flatten() {
            stop_phase(phase, context, tail, tail).await;
        }
    })
}

/// Runs the hooks at the drain, together. `needed` is what they, the window and the phases take if nobody is hurried.
pub(crate) async fn drain(hooks: Vec<Member>, context: &Context, needed: Duration) {
    if hooks.is_empty() {
        return;
    }
    let left = context.deadline.borrow().saturating_duration_since(Instant::now());
    let hooks = hooks.into_iter().map(|hook| {
        let limit = share(hook.budget, left, needed);
        barrier::stop(hook, context, limit)
    });
    SafeSpan::new(|| tracing::info_span!("drain")).around(join_all(hooks)).await;
}

async fn stop_phase(phase: RunningPhase, context: &Context, path: Duration, after: Duration) {
    let span = SafeSpan::new(|| tracing::info_span!("phase", name = phase.name));
    let stop = async {
        tell!(info, "phase begins");
        context.board.phase_begins(phase.number);
        let left = context.deadline.borrow().saturating_duration_since(Instant::now());
        if let Some(told) = &phase.told {
            told.give();
        }
        let members = phase.members.into_iter().map(|member| {
            let limit = share(member.budget, left, path);
            barrier::stop(member, context, limit)
        });
        let parts = phase.parts.into_iter().map(|part| stop(part, context, after));
        join(join_all(members), join_all(parts)).await;
        let elapsed = context.board.phase_ends(phase.number);
        metering::phase_over(&context.board, phase.number);
        tell!(info, ?elapsed, "phase is over");
    };
    span.around(stop).await;
}
