//! The children of a member: tracked, awaited with it, refused once it is over, and cut with it.

use std::any::Any;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

use futures_util::FutureExt as _;
use pin_project_lite::pin_project;
use tokio::sync::Notify;
use tokio::sync::futures::OwnedNotified;
use tokio::task::{JoinError, JoinHandle};

use crate::error::SpawnError;
use crate::gate::Gate;
use crate::guarded::{panic_text, tell};
use crate::member::SharedMember;
use crate::notice::Notice;

/// Tells every child that is still pending to drop its future.
#[derive(Debug, Default)]
struct Cut {
    done: AtomicBool,
    notify: Arc<Notify>,
}

impl Cut {
    fn cut(&self) {
        self.done.store(true, Ordering::SeqCst);
        self.notify.notify_waiters();
    }
}

/// The children of one member.
///
/// In an allocation of their own, which each child shares: its count lies beside the gate's number, so that a child that
/// leaves writes to one place in memory, and not to two that all workers contend for.
#[derive(Debug)]
#[repr(C)]
pub(crate) struct Children {
    gate: Gate,
    cut: Cut,
    /// The stop of the member's phase. No child is cut before it was told.
    stop: Arc<Notice>,
    member: &'static str,
}

impl Children {
    pub(crate) fn of(member: &'static str, stop: &Arc<Notice>) -> Arc<Self> {
        Arc::new(Self { gate: Gate::default(), cut: Cut::default(), stop: Arc::clone(stop), member })
    }

    /// Waits until no child is left, and refuses those who come later.
    pub(crate) async fn all_over(&self) {
        self.gate.close().await;
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.gate.is_empty()
    }

    /// Has every child's future dropped: at once where it is pending, at its next await where it runs.
    ///
    /// To be called after the member was told to stop: only from then on does a child listen for it.
    pub(crate) fn cut(&self) {
        self.gate.close_at_once();
        self.cut.cut();
    }
}

/// A child among its member's, from before it is spawned until its future is dropped.
struct Admission {
    among: Arc<Children>,
}

impl Admission {
    fn new(member: &SharedMember) -> Result<Self, SpawnError> {
        let among = &member.children;
        if among.gate.try_enter() { Ok(Self { among: Arc::clone(among) }) } else { Err(SpawnError) }
    }
}

impl Drop for Admission {
    fn drop(&mut self) {
        self.among.gate.leave();
    }
}

/// Runs a future as a child of this member.
pub(crate) fn spawn<F>(member: &SharedMember, future: F) -> Result<Child<F::Output>, SpawnError>
where
    F: Future<Output: Send + 'static> + Send + 'static,
{
    let running = Running { future, listening: None, for_the_cut: false, admission: Admission::new(member)? };
    Ok(Child { handle: member.plan.runtime.spawn(running) })
}

/// Runs a blocking function as a child of this member; it cannot be cut.
pub(crate) fn spawn_blocking<F, T>(member: &SharedMember, function: F) -> Result<Child<T>, SpawnError>
where
    F: FnOnce() -> T + Send + 'static,
    T: Send + 'static,
{
    let admission = Admission::new(member)?;
    let name = member.spec.name;
    let run = move || {
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(function));
        drop(admission);
        Delivery::new(name, result)
    };
    Ok(Child { handle: member.plan.runtime.spawn_blocking(run) })
}

pin_project! {
    /// A child's future. It listens only once it had to wait, so one that is done at its first poll pays nothing for it:
    /// first for the stop, and for the cut once that was told. A stop thus finds nobody in the cut's list, out of which
    /// thousands would take themselves at the same time, on all workers.
    struct Running<F> {
        #[pin]
        future: F,
        #[pin]
        listening: Option<OwnedNotified>,
        for_the_cut: bool,
        // Last, since "left" must not be said before the future is gone.
        admission: Admission,
    }
}

impl<F: Future> Future for Running<F> {
    type Output = Delivery<F::Output>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let mut this = self.project();
        let Children { cut, stop, member, .. } = &*this.admission.among;
        if cut.done.load(Ordering::Acquire) {
            return Poll::Ready(Delivery::Cut);
        }
        let future = this.future.as_mut();
        let polled = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| future.poll(context)));
        match polled {
            Ok(Poll::Pending) => {}
            Ok(Poll::Ready(output)) => return Poll::Ready(Delivery::Output(output)),
            Err(panic) => return Poll::Ready(Delivery::new(member, Err(panic))),
        }
        // One task keeps one waker, so registering once with each is enough.
        if this.listening.is_none() {
            this.listening.set(Some(stop.waiter()));
            if let Some(stop) = this.listening.as_mut().as_pin_mut() {
                let _ = stop.poll(context);
            }
        }
        // Looked at after registering, or what came between the two would be missed.
        if !*this.for_the_cut && stop.is_given() {
            *this.for_the_cut = true;
            this.listening.set(Some(Arc::clone(&cut.notify).notified_owned()));
            if let Some(cut) = this.listening.as_pin_mut() {
                let _ = cut.poll(context);
            }
            if cut.done.load(Ordering::Acquire) {
                return Poll::Ready(Delivery::Cut);
            }
        }
        Poll::Pending
    }
}

/// What a child hands to whoever holds its [`Child`]; kept small, since the runtime copies it into the task's cell.
#[derive(Debug)]
enum Delivery<T> {
    Output(T),
    Panicked(Panic),
    Cut,
}

impl<T> Delivery<T> {
    fn new(member: &'static str, result: std::thread::Result<T>) -> Self {
        match result {
            Ok(output) => Self::Output(output),
            Err(payload) => Self::Panicked(Panic(Some(Box::new((member, payload))))),
        }
    }
}

/// A child's panic, logged where nobody takes it.
#[derive(Debug)]
struct Panic(Option<Box<(&'static str, Box<dyn Any + Send>)>>);

impl Panic {
    fn take(mut self) -> String {
        self.0.take().map_or_else(String::new, |panic| panic_text(panic.1))
    }
}

impl Drop for Panic {
    fn drop(&mut self) {
        if let Some(panic) = self.0.take() {
            let (member, payload) = *panic;
            let text = panic_text(payload);
            tell!(error, member, panic = %text, "a child panicked, and nobody awaited it");
        }
    }
}

/// A child of a task, as [`Shutdown::spawn`](crate::Shutdown::spawn) returns it. Awaiting it gives its output.
///
/// Dropping it leaves the child running and tracked; its panic is then logged, an `Err` that it
/// returns is not.
#[derive(Debug)]
pub struct Child<T> {
    handle: JoinHandle<Delivery<T>>,
}

impl<T> Future for Child<T> {
    type Output = Result<T, ChildError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        self.handle.poll_unpin(context).map(|joined| match joined {
            Ok(Delivery::Output(output)) => Ok(output),
            Ok(Delivery::Panicked(panic)) => Err(ChildError::Panicked(panic.take())),
            Ok(Delivery::Cut) => Err(ChildError::Cut),
            Err(error) => Err(ChildError::from(error)),
        })
    }
}

/// Why a child gave no output.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ChildError {
    /// It panicked, with this text.
    Panicked(String),
    /// Its member's time was over, or the runtime went down.
    Cut,
}

impl From<JoinError> for ChildError {
    fn from(error: JoinError) -> Self {
        match error.try_into_panic() {
            Ok(panic) => Self::Panicked(panic_text(panic)),
            Err(_) => Self::Cut,
        }
    }
}

impl std::fmt::Display for ChildError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Panicked(text) => write!(formatter, "the child panicked: {text}"),
            Self::Cut => formatter.write_str("the child was cut: its member's time was over"),
        }
    }
}

impl std::error::Error for ChildError {}
