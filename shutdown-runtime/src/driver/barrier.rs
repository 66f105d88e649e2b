//! When a member is over: its future, its children and every lease issued to it are gone; or its time is.

use std::future::poll_fn;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout, timeout_at};

use super::aside::{self, JOIN, StepEnd};
use super::close;
use super::launch::{ENDED_EARLY, ENDED_UNREADY, failure_text};
use super::tree::{Member, Work};
use super::walk::Context;
use crate::deadline::later;
use crate::graph::OnExit;
use crate::guarded::tell;
use crate::ledger::Holder;
use crate::member::{End, MemberState};
use crate::output::TaskResult;
use crate::report::Outcome;
use crate::resource::BoxFuture;
use crate::shutdown::Shutdown;
use crate::span::SafeSpan;
use crate::task::Call;

/// Stops one member within its limit, and records how it ended: in a span of its own below its phase's, since a task's own
/// span is as old as the task.
pub(crate) async fn stop(member: Member, context: &Context, limit: Duration) {
    let (name, kind) = (member.spec.name, member.spec.kind.name());
    let span = SafeSpan::new(|| tracing::info_span!("member", name, kind));
    span.around(stop_within(member, context, limit)).await;
}

async fn stop_within(member: Member, context: &Context, limit: Duration) {
    let told = Instant::now();
    let deadline = later(told, limit);
    context.board.member_told(member.number, limit);
    let (outcome, holders) = match member.work {
        Work::Waiting(..) | Work::Unstarted => (Outcome::NotStarted, Vec::new()),
        Work::Task(state, handle) => {
            state.limit(deadline);
            task(&state, handle, deadline, context).await
        }
        Work::Hook(state, hook) => {
            state.limit(deadline);
            run_hook(state, hook, deadline, context).await
        }
        Work::Resource(resource) => {
            let deadline = context.earlier(deadline).max(told);
            close::within(resource, told, deadline, context.aside, &context.reason).await
        }
    };
    let (name, elapsed) = (member.spec.name, told.elapsed());
    match &outcome {
        Outcome::Completed | Outcome::Dropped | Outcome::NotStarted => {
            tell!(info, member = name, outcome = outcome.name(), ?elapsed, "stopped");
        }
        Outcome::TimedOut => {
            tell!(warn, member = name, outcome = "TimedOut", ?limit, "stopped only by force");
        }
        lost => {
            let (text, holders) = (lost.text(), holders_text(&holders));
            let holders = holders.as_deref();
            tell!(error, member = name, outcome = lost.name(), text, holders, ?elapsed, "did not stop well");
        }
    }
    context.board.member_over(member.number, outcome, holders);
}

async fn task(
    state: &Arc<MemberState>,
    mut handle: JoinHandle<()>,
    deadline: Instant,
    context: &Context,
) -> (Outcome, Vec<Holder>) {
    // Even at a limit of zero it is told and polled once.
    let_others_run().await;
    let over = async {
        let _ = (&mut handle).await;
        state.children.all_over().await;
        state.ledger.all_returned().await;
    };
    if context.in_time(deadline, over).await {
        return (ended(state), Vec::new());
    }
    let holders: Vec<_> = state.ledger.leases().iter().map(|note| Holder::of(note)).collect();
    if handle.is_finished() && state.children.is_empty() {
        let outcome = match ended(state) {
            Outcome::Completed | Outcome::Dropped => Outcome::Leaked(holders.clone()),
            worse => worse,
        };
        return (outcome, holders);
    }
    let last = context.earlier(later(Instant::now(), IN_DROP));
    (abort(state, handle, last).await, holders)
}

/// Lets those run who have just been woken.
///
/// Not tokio's `yield_now`, which wakes its caller only when the worker is through with what is ready there: if that
/// blocks, a task that has just been told to stop among them, nobody would be waited for any more.
async fn let_others_run() {
    let mut yielded = false;
    poll_fn(|context| {
        if std::mem::replace(&mut yielded, true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

/// How much longer a task is waited for that is in its destructors: a panic in one may have to print its backtrace first.
const IN_DROP: Duration = Duration::from_millis(400);

/// Aborts what is left of a task, and waits a moment for it to be gone.
async fn abort(state: &MemberState, mut handle: JoinHandle<()>, last: Instant) -> Outcome {
    handle.abort();
    state.children.cut();
    let gone = async {
        if !handle.is_finished() {
            let _ = (&mut handle).await;
        }
        state.children.all_over().await;
    };
    let mut gone = std::pin::pin!(gone);
    let mut joined = timeout(JOIN, gone.as_mut()).await.is_ok();
    if !joined && state.is_being_dropped() {
        joined = timeout_at(last, gone).await.is_ok();
    }
    match state.take_end() {
        // It ended in the very last moment, and not well: that is worth more than that it was late.
        Some(End::Returned(Err(error))) => Outcome::Failed(super::launch::error_text(error.as_ref())),
        Some(End::Panicked(text)) => Outcome::Panicked(text),
        _ if joined => Outcome::TimedOut,
        _ => Outcome::Abandoned,
    }
}

/// The outcome of a task whose future has ended by itself.
fn ended(state: &MemberState) -> Outcome {
    match state.take_end() {
        Some(End::Returned(result)) => match failure_text(&result) {
            Some(text) => Outcome::Failed(text),
            None if state.ended_before_the_stop() && !state.is_ready() => {
                Outcome::Failed(ENDED_UNREADY.to_owned())
            }
            None if state.ended_before_the_stop() && state.spec.behaviour.on_exit == OnExit::Fail => {
                Outcome::Failed(ENDED_EARLY.to_owned())
            }
            None => Outcome::Completed,
        },
        Some(End::Panicked(text)) => Outcome::Panicked(text),
        Some(End::Dropped) => Outcome::Dropped,
        // Its runtime is going down under it.
        None => Outcome::Unknown,
    }
}

struct HookStep {
    body: Option<BoxFuture<'static, TaskResult>>,
}

impl aside::Step for HookStep {
    fn run(&mut self) -> BoxFuture<'_, TaskResult> {
        self.body.take().unwrap_or_else(|| Box::pin(std::future::ready(Ok(()))))
    }
}

async fn run_hook(
    state: Arc<MemberState>,
    hook: Call,
    deadline: Instant,
    context: &Context,
) -> (Outcome, Vec<Holder>) {
    let name = hook.spec.name;
    let body = (hook.body)(Shutdown::new(&state));
    let end = aside::run(context.aside, name, context.earlier(deadline), HookStep { body: Some(body) }).await;
    let outcome = step_outcome(end);
    let over = async {
        state.children.all_over().await;
        state.ledger.all_returned().await;
    };
    if context.in_time(deadline, over).await {
        return (outcome, Vec::new());
    }
    state.children.cut();
    let _ = timeout(JOIN, state.children.all_over()).await;
    let holders: Vec<_> = state.ledger.leases().iter().map(|note| Holder::of(note)).collect();
    let outcome = match outcome {
        Outcome::Completed if holders.is_empty() => Outcome::TimedOut,
        Outcome::Completed => Outcome::Leaked(holders.clone()),
        worse => worse,
    };
    (outcome, holders)
}

/// Those who hold leases as one text; `None` for none.
pub(crate) fn holders_text(holders: &[Holder]) -> Option<String> {
    let texts: Vec<_> = holders.iter().map(ToString::to_string).collect();
    (!texts.is_empty()).then(|| texts.join("; "))
}

/// What a step's end means for the report.
pub(crate) fn step_outcome(end: StepEnd) -> Outcome {
    match end {
        StepEnd::Returned(result) => failure_text(&result).map_or(Outcome::Completed, Outcome::Failed),
        StepEnd::Panicked(text) => Outcome::Panicked(text),
        StepEnd::TimedOut => Outcome::TimedOut,
        StepEnd::Abandoned => Outcome::Abandoned,
    }
}
