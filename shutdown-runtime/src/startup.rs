//! The body of `main`: what it made is remembered, and a signal cancels it at its next await.

use std::any::Any;
use std::fmt;
use std::future::Future;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use tokio::sync::Notify;

use crate::ledger::lock;
use crate::resource::AnyResource;
use crate::trigger::{ShutdownHandle, Trigger};

tokio::task_local! {
    static CURRENT: Startup;
}

/// A value that is kept until the report is out.
pub(crate) type Kept = Box<dyn Any + Send>;

#[derive(Default)]
struct State {
    resources: Mutex<Vec<Arc<dyn AnyResource>>>,
    kept: Mutex<Vec<Kept>>,
    critical: AtomicUsize,
    critical_over: Notify,
}

/// What the body of `main` may take as its argument.
///
/// # Examples
///
/// ```no_run
/// use shutdown_runtime::{Shutdown, Startup, background_task, shutdown_plan};
///
/// # #[background_task] async fn api(shutdown: Shutdown) { shutdown.requested().await }
/// # #[shutdown_plan(budget = "30s")] struct Service { api: api }
/// # async fn migrate() {}
/// # fn open_log() -> Vec<u8> { Vec::new() }
/// #[shutdown_runtime::main]
/// async fn main(startup: Startup) -> Service {
///     // Dropped after the report, so that its last lines are written.
///     startup.keep(open_log());
///     // A signal waits for it (R-SHUT-DB-3).
///     startup.critical(migrate()).await;
///     Service { api: api() }
/// }
/// ```
#[derive(Clone)]
pub struct Startup {
    state: Arc<State>,
    trigger: Arc<Trigger>,
}

impl Startup {
    pub(crate) fn new(trigger: &Arc<Trigger>) -> Self {
        Self { state: Arc::default(), trigger: Arc::clone(trigger) }
    }

    /// Shields a future from signals, such as a migration: the body is cancelled after it, within the deadline.
    pub async fn critical<F: Future>(&self, future: F) -> F::Output {
        let _guard = Critical::enter(&self.state);
        future.await
    }

    /// Keeps a value until the report is out, such as a log writer's guard. Dropping it may take half a second.
    pub fn keep(&self, guard: impl Any + Send) {
        lock(&self.state.kept).push(Box::new(guard));
    }

    /// A handle that can ask for a stop.
    pub fn handle(&self) -> ShutdownHandle {
        ShutdownHandle::new(&self.trigger)
    }

    /// Runs the body, so that the resources it makes are remembered.
    pub(crate) async fn scope<F: Future>(&self, body: F) -> F::Output {
        CURRENT.scope(self.clone(), body).await
    }

    /// Waits until no critical section runs.
    pub(crate) async fn not_critical(&self) {
        loop {
            let mut over = std::pin::pin!(self.state.critical_over.notified());
            over.as_mut().enable();
            if self.state.critical.load(Ordering::Acquire) == 0 {
                return;
            }
            over.await;
        }
    }

    /// What closing all that was made so far may take, one after another.
    pub(crate) fn close_budget(&self) -> std::time::Duration {
        let resources = lock(&self.state.resources);
        let budgets = resources.iter().map(|resource| {
            let spec = resource.ledger().spec;
            spec.budget.unwrap_or(spec.default_budget())
        });
        std::time::Duration::from_millis(budgets.fold(0, u64::saturating_add))
    }

    pub(crate) fn take_resources(&self) -> Vec<Arc<dyn AnyResource>> {
        std::mem::take(&mut lock(&self.state.resources))
    }

    /// Puts back what a plan that did not start would have closed.
    pub(crate) fn remember_again(&self, resources: Vec<Arc<dyn AnyResource>>) {
        *lock(&self.state.resources) = resources;
    }

    pub(crate) fn take_kept(&self) -> Vec<Kept> {
        std::mem::take(&mut lock(&self.state.kept))
    }

    /// As [`take_kept`](Self::take_kept), for those who may not wait for a lock.
    #[cfg_attr(not(unix), allow(dead_code, reason = "a forced exit is a signal's"))]
    pub(crate) fn try_take_kept(&self) -> Vec<Kept> {
        self.state.kept.try_lock().map(|mut kept| std::mem::take(&mut *kept)).unwrap_or_default()
    }
}

impl fmt::Debug for Startup {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Startup").finish_non_exhaustive()
    }
}

struct Critical<'a> {
    state: &'a State,
}

impl<'a> Critical<'a> {
    fn enter(state: &'a State) -> Self {
        state.critical.fetch_add(1, Ordering::AcqRel);
        Self { state }
    }
}

impl Drop for Critical<'_> {
    fn drop(&mut self) {
        if self.state.critical.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.state.critical_over.notify_waiters();
        }
    }
}

/// Remembers a resource that the body of `main` makes; elsewhere it does nothing.
pub(crate) fn remember(resource: &Arc<dyn AnyResource>) {
    let _ = CURRENT.try_with(|startup| lock(&startup.state.resources).push(Arc::clone(resource)));
}

/// Whether a resource is among these.
pub(crate) fn knows(resources: &[Arc<dyn AnyResource>], resource: &Arc<dyn AnyResource>) -> bool {
    resources.iter().any(|known| known.ledger().instance == resource.ledger().instance)
}
