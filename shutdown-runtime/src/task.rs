//! The inert value that a task's call returns, and that the plan starts.

use std::fmt;
use std::panic::Location;
use std::sync::Arc;
use std::time::Duration;

use crate::graph::MemberSpec;
use crate::lease::Issuer;
use crate::ledger::{MemberLedger, Reached};
use crate::output::TaskResult;
use crate::resource::BoxFuture;
use crate::shutdown::Shutdown;

/// A declared task or hook with its arguments, not yet running.
pub struct TaskValue {
    pub(crate) spec: &'static MemberSpec,
    pub(crate) ledger: Arc<MemberLedger>,
    pub(crate) reached: Vec<Reached>,
    pub(crate) every: Option<Duration>,
    pub(crate) body: Box<dyn FnOnce(Shutdown) -> BoxFuture<'static, TaskResult> + Send>,
}

impl fmt::Debug for TaskValue {
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
    pub fn new<F>(spec: &'static MemberSpec, issuer: Issuer, every: Option<Duration>, body: F) -> Self
    where
        F: FnOnce(Shutdown) -> BoxFuture<'static, TaskResult> + Send + 'static,
    {
        let (ledger, reached) = issuer.into_parts();
        Self { spec, ledger, reached, every, body: Box::new(body) }
    }
}
