//! A task's view of the stop.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::children::{self, Child, ChildError};
use crate::counters::Counter;
use crate::error::{CriticalError, SpawnError};
use crate::guarded::tell;
use crate::member::{MemberState, SharedMember};
use crate::readiness::Readiness;
use crate::reason::Reason;
use crate::trigger::ShutdownHandle;
use crate::unit::{Measured, Work};

/// A task's view of the stop: whether its phase was told to stop, how long it has, and a way to run children.
///
/// A task declares a parameter of this type (recognised by its last path segment, `Shutdown`); the plan supplies it.
/// A clone costs one atomic increment.
///
/// # Examples
///
/// ```
/// use shutdown_runtime::{Shutdown, background_task};
/// use tokio::sync::mpsc;
///
/// #[background_task(budget = "5s")]
/// async fn worker(mut jobs: mpsc::Receiver<u32>, shutdown: Shutdown) {
///     // Looks at the stop between two jobs, never within one.
///     while let Some(Some(job)) = shutdown.run_until_requested(jobs.recv()).await {
///         println!("job {job}");
///     }
///     shutdown.requested().await;
/// }
/// ```
#[derive(Clone, Debug)]
pub struct Shutdown {
    member: SharedMember,
}

impl Shutdown {
    pub(crate) fn new(member: &Arc<MemberState>) -> Self {
        Self { member: SharedMember::new(member) }
    }

    /// Resolves once this task's phase is told to stop; no earlier. The future is owned, so that
    /// `with_graceful_shutdown(shutdown.requested())` compiles.
    pub fn requested(&self) -> impl Future<Output = ()> + Send + 'static + use<> {
        self.member.phase.given()
    }

    /// Whether this task's phase was told to stop: one atomic load.
    #[inline]
    pub fn is_requested(&self) -> bool {
        self.member.phase.is_given()
    }

    /// Runs a future until this task's phase is told to stop; `None` if the stop came first. The future is then
    /// dropped, so let it be one that loses nothing: a receive, a sleep, an accept.
    pub async fn run_until_requested<F: Future>(&self, future: F) -> Option<F::Output> {
        self.member.phase.run_until_given(future).await
    }

    /// Sleeps, and ends early when this task's phase is told to stop. Returns whether the whole time passed.
    pub async fn sleep(&self, duration: Duration) -> bool {
        self.run_until_requested(tokio::time::sleep(duration)).await.is_some()
    }

    /// Resolves once the plan has begun to stop, though perhaps not this phase: stop intake, keep serving.
    pub fn draining(&self) -> impl Future<Output = ()> + Send + 'static + use<> {
        self.member.plan.trigger.draining()
    }

    /// Whether the plan has begun to stop: one atomic load.
    #[inline]
    pub fn is_draining(&self) -> bool {
        self.member.plan.trigger.has_fired()
    }

    /// Runs one unit of work (a request, a message): not begun after this phase was told to stop (`None`), and never
    /// cut by the stop.
    ///
    /// Where the task declared `unit`, or `batch` and `per_item`, one that took longer is warned about at its end, at
    /// most once a minute for each task, and counted in the report.
    pub async fn unit<F: Future>(&self, future: F) -> Option<F::Output> {
        if self.is_requested() {
            return None;
        }
        let begun = Instant::now();
        let measured = self.measure(Work::Unit);
        let output = future.await;
        drop(measured);
        tell!(trace, member = self.member.spec.name, elapsed = ?begun.elapsed(), "unit of work");
        Some(output)
    }

    /// Measures from now until the value is dropped, if this member declared how long a unit of its work may take.
    pub(crate) fn measure(&self, work: Work) -> Option<Measured> {
        self.member.units.as_ref().map(|units| units.begin(work))
    }

    /// Runs a future to its end whatever happens to the caller: a `select!` that drops this one, an abort. Bounded by
    /// the member's budget. The future is `'static`, so it takes a [`Lease`](crate::Lease), not a borrow.
    ///
    /// # Errors
    ///
    /// [`CriticalError`] if the member is over, the future panics, or the budget ends it.
    pub async fn critical<F>(&self, future: F) -> Result<F::Output, CriticalError>
    where
        F: Future<Output: Send + 'static> + Send + 'static,
    {
        let child = self.spawn(future).map_err(|SpawnError| CriticalError::Refused)?;
        child.await.map_err(|error| match error {
            ChildError::Panicked(text) => CriticalError::Panicked(text),
            ChildError::Cut => CriticalError::Cut,
        })
    }

    /// As [`critical`](Self::critical), and refused at once when less than `need` is left of the budget.
    ///
    /// # Errors
    ///
    /// [`CriticalError::NoTime`] when it cannot fit, else as [`critical`](Self::critical).
    pub async fn critical_within<F>(&self, need: Duration, future: F) -> Result<F::Output, CriticalError>
    where
        F: Future<Output: Send + 'static> + Send + 'static,
    {
        if let Some(deadline) = self.deadline() {
            let left = deadline.saturating_duration_since(Instant::now());
            if left < need {
                return Err(CriticalError::NoTime { need, left });
            }
        }
        self.critical(future).await
    }

    /// Runs a future as a child of this task: the task is over only when its children are. A panic goes to whoever
    /// awaits the [`Child`]; it is logged where nobody does, and is no outage. An
    /// `Err` that nobody awaits is lost without a word: a child may return anything, so nothing here can tell that it is one.
    ///
    /// # Errors
    ///
    /// [`SpawnError`] once the task is over.
    pub fn spawn<F>(&self, future: F) -> Result<Child<F::Output>, SpawnError>
    where
        F: Future<Output: Send + 'static> + Send + 'static,
    {
        children::spawn(&self.member, future)
    }

    /// Runs a blocking function as a child of this task. It cannot be cut: let it look at
    /// [`is_requested`](Self::is_requested), or it is reported as `Abandoned`.
    ///
    /// # Errors
    ///
    /// [`SpawnError`] once the task is over.
    pub fn spawn_blocking<F, T>(&self, function: F) -> Result<Child<T>, SpawnError>
    where
        F: FnOnce() -> T + Send + 'static,
        T: Send + 'static,
    {
        children::spawn_blocking(&self.member, function)
    }

    /// Says that this task is ready: with `ready = "explicit"` it counts as started only then, and the phases above it and the
    /// plan's readiness wait for it. Saying so again changes nothing, nor does it without that key.
    ///
    /// # Examples
    ///
    /// ```
    /// use shutdown_runtime::{Shutdown, background_task};
    ///
    /// #[background_task(ready = "explicit", ready_within = "20s")]
    /// async fn consumer(shutdown: Shutdown) -> std::io::Result<()> {
    ///     let socket = tokio::net::TcpStream::connect(("broker", 9092)).await?;
    ///     shutdown.ready();
    ///     shutdown.requested().await;
    ///     drop(socket);
    ///     Ok(())
    /// }
    /// ```
    pub fn ready(&self) {
        if let Some(announcement) = &self.member.announcement {
            announcement.say();
        }
    }

    /// A number in this task's report, by a name such as `"messages requeued"`; at most 16 names, of which those above zero
    /// are printed.
    ///
    /// # Examples
    ///
    /// ```
    /// # fn example(shutdown: &shutdown_runtime::Shutdown) {
    /// let requeued = shutdown.counter("messages requeued");
    /// requeued.add(3);
    /// # }
    /// ```
    pub fn counter(&self, name: &'static str) -> Counter {
        self.member.counters.named(name)
    }

    /// When this member will be aborted; `None` before its phase was told to stop.
    pub fn deadline(&self) -> Option<Instant> {
        self.member.deadline()
    }

    /// Why the service stops; `None` before it does.
    pub fn reason(&self) -> Option<Reason> {
        self.member.plan.trigger.current().first.map(|(reason, _)| reason)
    }

    /// A [`CancellationToken`] that is cancelled when this phase is told to stop, for libraries that take one.
    /// Cancelling it yourself stops nothing of the plan.
    pub fn token(&self) -> CancellationToken {
        self.member.phase.token()
    }

    /// The plan's readiness, for a readiness probe.
    pub fn readiness(&self) -> Readiness {
        self.member.plan.readiness.clone()
    }

    /// A handle that can ask the plan to stop.
    pub fn handle(&self) -> ShutdownHandle {
        ShutdownHandle::new(&self.member.plan.trigger)
    }
}
