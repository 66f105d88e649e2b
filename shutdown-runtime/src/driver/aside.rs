//! Steps that may block (closes, hooks, the final drop of a resource) run aside: on a thread of their own that can be
//! left behind, never on a thread of the runtime.

use std::panic::AssertUnwindSafe;

use futures_util::FutureExt as _;
use tokio::runtime::Handle;
use tokio::sync::oneshot;
use tokio::time::{Duration, Instant, timeout, timeout_at};
use tokio_util::sync::CancellationToken;

use crate::guarded::panic_text;
use crate::output::TaskResult;
use crate::resource::BoxFuture;
use crate::span::SafeSpan;

/// How long an aborted step or task is waited for, before it counts as abandoned.
pub(crate) const JOIN: Duration = Duration::from_millis(100);

/// Where such steps run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Aside {
    /// On a thread of their own.
    #[default]
    Thread,
    /// On the runtime, where a paused clock must see them.
    #[cfg_attr(not(feature = "test-util"), allow(dead_code, reason = "only the test kit asks for it"))]
    Runtime,
}

/// How a step ended.
#[derive(Debug)]
pub(crate) enum StepEnd {
    /// It returned.
    Returned(TaskResult),
    /// It panicked, with this text.
    Panicked(String),
    /// Its time was over, and it was dropped.
    TimedOut,
    /// Its time was over, and it did not let itself be dropped.
    Abandoned,
}

/// Something a step works on, dropped when the step is over and where it ran.
pub(crate) trait Step: Send + 'static {
    /// The step itself.
    fn run(&mut self) -> BoxFuture<'_, TaskResult>;
}

/// Runs a step until the deadline, then drops it, and leaves it behind if that does not help.
pub(crate) async fn run(aside: Aside, name: &'static str, deadline: Instant, step: impl Step) -> StepEnd {
    let cut = CancellationToken::new();
    let (sender, mut receiver) = oneshot::channel();
    match aside {
        Aside::Thread => {
            let (runtime, cut, span) = (Handle::current(), cut.clone(), SafeSpan::current());
            let run = move || {
                let _ = sender.send(on_thread(&runtime, &cut, &span, step));
            };
            if let Err(error) = std::thread::Builder::new().name(format!("stop {name}")).spawn(run) {
                return StepEnd::Returned(Err(Box::new(error)));
            }
        }
        Aside::Runtime => {
            let cut = cut.clone();
            let run = async move {
                let _ = sender.send(on_runtime(&cut, step).await);
            };
            tokio::spawn(SafeSpan::current().around(run));
        }
    }
    if let Ok(end) = timeout_at(deadline, &mut receiver).await {
        return end.unwrap_or(StepEnd::Abandoned);
    }
    cut.cancel();
    match timeout(JOIN, receiver).await {
        Ok(Ok(end)) => end,
        Ok(Err(_)) | Err(_) => StepEnd::Abandoned,
    }
}

/// In the span of whoever waits for the step, so that what a close writes tells whose it is.
fn on_thread(runtime: &Handle, cut: &CancellationToken, span: &SafeSpan, mut step: impl Step) -> StepEnd {
    let end = std::panic::catch_unwind(AssertUnwindSafe(|| {
        let _inside = span.enter();
        let end = runtime.block_on(cut.run_until_cancelled(step.run()));
        // Outside the runtime's context: what is dropped may own a runtime, or block.
        drop(step);
        end
    }));
    match end {
        Ok(Some(result)) => StepEnd::Returned(result),
        Ok(None) => StepEnd::TimedOut,
        Err(panic) => StepEnd::Panicked(panic_text(panic)),
    }
}

async fn on_runtime(cut: &CancellationToken, mut step: impl Step) -> StepEnd {
    let guarded = AssertUnwindSafe(async {
        let end = cut.run_until_cancelled(step.run()).await;
        drop(step);
        end
    });
    match guarded.catch_unwind().await {
        Ok(Some(result)) => StepEnd::Returned(result),
        Ok(None) => StepEnd::TimedOut,
        Err(panic) => StepEnd::Panicked(panic_text(panic)),
    }
}
