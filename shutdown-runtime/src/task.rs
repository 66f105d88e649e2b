//! The inert value that a task's call returns, and that the plan starts.

use std::fmt;
use std::future::Future;
use std::panic::Location;
use std::sync::Arc;
use std::time::Duration;

use crate::graph::MemberSpec;
use crate::lease::{Issuer, Loans};
use crate::ledger::{MemberLedger, Reached};
use crate::output::TaskResult;
use crate::periodic::Ticks;
use crate::resource::BoxFuture;
use crate::shutdown::Shutdown;

/// A declared task or hook with its arguments, not yet running.
pub struct TaskValue {
    /// A trait object, so that a plan of many tasks is found to be `Send` without a look into each.
    call: Box<dyn AnyCall>,
}

/// What a call came to: what the plan starts.
pub(crate) struct Call {
    pub(crate) spec: &'static MemberSpec,
    pub(crate) ledger: Arc<MemberLedger>,
    pub(crate) reached: Vec<Reached>,
    pub(crate) every: Option<Duration>,
    pub(crate) body: Box<dyn FnOnce(Shutdown) -> BoxFuture<'static, TaskResult> + Send>,
}

trait AnyCall: Send {
    fn call(&self) -> &Call;
    fn into_call(self: Box<Self>) -> Call;
}

impl AnyCall for Call {
    fn call(&self) -> &Call {
        self
    }

    fn into_call(self: Box<Self>) -> Call {
        *self
    }
}

impl fmt::Debug for TaskValue {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.call.call().fmt(formatter)
    }
}

impl fmt::Debug for Call {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("TaskValue").field(&self.spec.name).finish()
    }
}

impl TaskValue {
    /// Begins a call: the issuer collects the leases among its arguments.
    #[track_caller]
    pub fn issuer(spec: &'static MemberSpec) -> Issuer {
        Issuer::new(spec, Location::caller())
    }

    /// Ends a call: the body runs once the plan starts the task, or reaches the hook.
    pub fn new<F>(issuer: Issuer, every: Option<Duration>, body: F) -> Self
    where
        F: FnOnce(Shutdown) -> BoxFuture<'static, TaskResult> + Send + 'static,
    {
        let (spec, ledger, reached) = issuer.into_parts();
        Self { call: Box::new(Call { spec, ledger, reached, every, body: Box::new(body) }) }
    }

    pub(crate) fn into_call(self) -> Call {
        self.call.into_call()
    }
}

// What generated code calls. The future that owns a loan is made here and not in the user's crate, where each would
// have to be checked for `Send` once more; and these are free functions, since a path through a type costs the
// compiler a second proof of every bound.

/// As [`TaskValue::issuer`].
#[track_caller]
pub fn issuer(spec: &'static MemberSpec) -> Issuer {
    TaskValue::issuer(spec)
}

/// The `Debug` of every task.
///
/// # Errors
///
/// As the formatter.
pub fn debug(value: &TaskValue, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    fmt::Debug::fmt(value, formatter)
}

/// A future as the runtime keeps it, with its output in the common form: an error may borrow from what was lent.
pub fn boxed<'a, F: Future + Send + 'a>(
    future: F,
    convert: fn(F::Output) -> TaskResult,
) -> BoxFuture<'a, TaskResult> {
    Box::pin(async move { convert(future.await) })
}

/// Ends the call of a task that runs once: `call` is the function as written, which borrows from what is lent.
pub fn once<L, F>(mut issuer: Issuer, loans: L, call: F) -> TaskValue
where
    L: Loans,
    F: for<'a> FnOnce(&'a L::Lent, Shutdown) -> BoxFuture<'a, TaskResult> + Send + 'static,
{
    let lent = loans.lend(&mut issuer);
    TaskValue::new(issuer, None, move |shutdown| {
        Box::pin(async move {
            let future = call(&lent, shutdown);
            future.await
        })
    })
}

/// Ends the call of a periodic task: `call` is one iteration, which borrows from what is lent and from the state that
/// the loop owns.
pub fn periodic<L, S, F>(
    mut issuer: Issuer,
    every: Duration,
    (loans, mut state): (L, S),
    mut call: F,
) -> TaskValue
where
    L: Loans,
    S: Send + 'static,
    F: for<'a> FnMut(&'a L::Lent, &'a mut S, Shutdown) -> BoxFuture<'a, TaskResult> + Send + 'static,
{
    let lent = loans.lend(&mut issuer);
    let spec = issuer.spec();
    TaskValue::new(issuer, Some(every), move |shutdown| {
        Box::pin(async move {
            let mut ticks = Ticks::new(spec, every, &shutdown);
            while ticks.next().await {
                let iteration = call(&lent, &mut state, shutdown.clone());
                let result = iteration.await;
                ticks.record(result);
            }
            ticks.finish()
        })
    })
}
