//! A task while it runs, and what its end means.

use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use futures_util::FutureExt as _;
use tokio_util::task::AbortOnDropHandle;

use crate::graph::{OnError, OnExit, StopMode};
use crate::guarded::{panic_text, tell};
use crate::member::{End, MemberState, PlanState};
use crate::output::TaskResult;
use crate::reason::Reason;
use crate::resource::BoxFuture;
use crate::shutdown::Shutdown;
use crate::span::SafeSpan;
use crate::task::Call;

/// Runs a task's body to its end, and says what that end means for the service.
pub(crate) async fn run(member: Arc<MemberState>, task: Call, alive: Alive) {
    let span = SafeSpan::new(|| tracing::info_span!("member", name = member.spec.name));
    span.around(run_in_span(member, task, alive)).await;
}

async fn run_in_span(member: Arc<MemberState>, task: Call, alive: Alive) {
    let end = body(&member, task).await;
    let early = !member.plan.trigger.has_fired();
    judge(&member, &end, early);
    member.record(end, early);
    if let Some(announcement) = &member.announcement {
        announcement.ended();
    }
    if alive.ended() {
        member.plan.trigger.fire(Reason::AllEnded);
    }
}

/// A task that counts among those that have not ended, from before it is spawned; also one that is dropped.
pub(crate) struct Alive {
    plan: Option<Arc<PlanState>>,
}

impl Alive {
    pub(crate) fn new(plan: &Arc<PlanState>) -> Self {
        Self { plan: Some(Arc::clone(plan)) }
    }

    /// It ended by itself. Returns whether it was the last.
    fn ended(mut self) -> bool {
        self.plan.take().is_some_and(|plan| plan.task_ended())
    }
}

impl Drop for Alive {
    fn drop(&mut self) {
        if let Some(plan) = self.plan.take() {
            plan.task_ended();
        }
    }
}

async fn body(member: &Arc<MemberState>, task: Call) -> End {
    let iterations = member.units.as_ref().filter(|_| task.every.is_some());
    let _watched =
        iterations.map(|units| AbortOnDropHandle::new(tokio::spawn(Arc::clone(units).watch_iterations())));
    let guarded = AssertUnwindSafe(async {
        let body = Body { future: Some((task.body)(Shutdown::new(member))), member: Arc::clone(member) };
        match member.spec.behaviour.stop {
            StopMode::Drop => member.phase.run_until_given(body).await,
            StopMode::Signal | StopMode::Input => Some(body.await),
        }
    });
    match guarded.catch_unwind().await {
        Ok(Some(result)) => End::Returned(result),
        // A destructor may have panicked meanwhile.
        Ok(None) => member.take_end().unwrap_or(End::Dropped),
        Err(panic) => End::Panicked(panic_text(panic)),
    }
}

/// A task's own future. Where it is dropped before its end, a destructor's panic is kept as how the task ended: tokio
/// would tell it only to whoever joins, and a panic that prints its backtrace takes longer than a join may.
struct Body {
    future: Option<BoxFuture<'static, TaskResult>>,
    member: Arc<MemberState>,
}

impl Future for Body {
    type Output = TaskResult;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<TaskResult> {
        self.future.as_mut().map_or(Poll::Pending, |future| future.as_mut().poll(context))
    }
}

impl Drop for Body {
    fn drop(&mut self) {
        let future = self.future.take();
        self.member.being_dropped(true);
        if let Err(panic) = std::panic::catch_unwind(AssertUnwindSafe(|| drop(future))) {
            let text = panic_text(panic);
            tell!(error, member = self.member.spec.name, panic = %text, "a task panicked while it was dropped");
            self.member.record(End::Panicked(text), false);
        }
        self.member.being_dropped(false);
    }
}

/// Before any stop an end starts one, unless the task says otherwise; during it the report tells.
fn judge(member: &MemberState, end: &End, early: bool) {
    let (name, behaviour) = (member.spec.name, member.spec.behaviour);
    let trigger = &member.plan.trigger;
    match end {
        End::Panicked(text) => {
            tell!(error, member = name, panic = %text, "a task panicked");
            trigger.fire(Reason::Panicked(name, text.as_str().into()));
        }
        End::Returned(Err(error)) => {
            let text = error_text(error.as_ref());
            tell!(error, member = name, error = %text, "a task failed");
            // A periodic task that logs its errors returns one only after too many in a row.
            let unready = early && !member.is_ready();
            if behaviour.on_error == OnError::Shutdown || behaviour.fail_after.is_some() || unready {
                trigger.fire(Reason::Failed(name, text.into()));
            }
        }
        End::Returned(Ok(())) if early && !member.is_ready() => {
            tell!(error, member = name, "a task ended before it was ready");
            trigger.fire(Reason::Failed(name, ENDED_UNREADY.into()));
        }
        End::Returned(Ok(())) if early => match behaviour.on_exit {
            OnExit::Fail => {
                tell!(error, member = name, "a task ended before any stop");
                trigger.fire(Reason::Failed(name, ENDED_EARLY.into()));
            }
            OnExit::Shutdown => trigger.fire(Reason::Finished(name)),
            OnExit::Continue => tell!(info, member = name, "a one-off task is done"),
        },
        End::Returned(Ok(())) | End::Dropped => {}
    }
}

/// The text for a task that returned although it was meant to live as long as the service.
pub(crate) const ENDED_EARLY: &str = "it ended before any stop (a task that may end says so with `on_exit`)";

/// The text for a task that returned before it said that it is ready, as it had promised to.
pub(crate) const ENDED_UNREADY: &str = "it ended before it said that it is ready (`shutdown.ready()`)";

/// An error with its causes, in one line.
pub(crate) fn error_text(error: &(dyn std::error::Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let cause_text = cause.to_string();
        // Many errors repeat their cause in their own text.
        if !text.contains(&cause_text) {
            text.push_str(": ");
            text.push_str(&cause_text);
        }
        source = cause.source();
    }
    text
}

/// A result as an outcome's text.
pub(crate) fn failure_text(result: &TaskResult) -> Option<String> {
    result.as_ref().err().map(|error| error_text(error.as_ref()))
}
