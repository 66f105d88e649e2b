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
#[derive(Debug, Default)]
pub(crate) struct Children {
    gate: Gate,
    cut: Cut,
}

impl Children {
    /// Waits until no child is left, and refuses those who come later.
    pub(crate) async fn all_over(&self) {
        self.gate.close().await;
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.gate.is_empty()
    }

    /// Has every child's future dropped: at once where it is pending, at its next await where it runs.
    pub(crate) fn cut(&self) {
        self.gate.close_at_once();
        self.cut.cut();
    }
}

/// A child among its member's, from before it is spawned until its future is dropped.
struct Admission {
    member: SharedMember,
}

impl Admission {
    fn new(member: &SharedMember) -> Result<Self, SpawnError> {
        if member.children.gate.try_enter() { Ok(Self { member: member.clone() }) } else { Err(SpawnError) }
    }
}

impl Drop for Admission {
    fn drop(&mut self) {
        self.member.children.gate.leave();
    }
}

/// Runs a future as a child of this member.
pub(crate) fn spawn<F>(member: &SharedMember, future: F) -> Result<Child<F::Output>, SpawnError>
where
    F: Future<Output: Send + 'static> + Send + 'static,
{
    let running = Running { future, cut: None, admission: Admission::new(member)? };
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
    /// A child's future. It listens for the cut only once it had to wait, so one that is done at its first poll pays
    /// nothing for it.
    struct Running<F> {
        #[pin]
        future: F,
        #[pin]
        cut: Option<OwnedNotified>,
        // Last, since "left" must not be said before the future is gone.
        admission: Admission,
    }
}

impl<F: Future> Future for Running<F> {
    type Output = Delivery<F::Output>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let mut this = self.project();
        let member = &*this.admission.member;
        let switch = &member.children.cut;
        if switch.done.load(Ordering::Acquire) {
            return Poll::Ready(Delivery::cut(member.spec.name));
        }
        let future = this.future.as_mut();
        let polled = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| future.poll(context)));
        match polled {
            Ok(Poll::Pending) => {}
            Ok(Poll::Ready(output)) => return Poll::Ready(Delivery::new(member.spec.name, Ok(output))),
            Err(panic) => return Poll::Ready(Delivery::new(member.spec.name, Err(panic))),
        }
        if this.cut.is_none() {
            // One task keeps one waker, so registering once is enough.
            this.cut.set(Some(Arc::clone(&switch.notify).notified_owned()));
            if let Some(cut) = this.cut.as_pin_mut() {
                let _ = cut.poll(context);
            }
            if switch.done.load(Ordering::Acquire) {
                return Poll::Ready(Delivery::cut(member.spec.name));
            }
        }
        Poll::Pending
    }
}

type Panic = Box<dyn Any + Send>;

/// What a child hands to whoever holds its [`Child`]; a panic that nobody takes is logged.
#[derive(Debug)]
struct Delivery<T> {
    member: &'static str,
    /// `None`: taken, or the child was cut.
    result: Option<Result<T, Panic>>,
}

impl<T> Delivery<T> {
    fn new(member: &'static str, result: Result<T, Panic>) -> Self {
        Self { member, result: Some(result) }
    }

    fn cut(member: &'static str) -> Self {
        Self { member, result: None }
    }
}

impl<T> Drop for Delivery<T> {
    fn drop(&mut self) {
        if let Some(Err(panic)) = self.result.take() {
            let text = panic_text(panic);
            tell!(error, member = self.member, panic = %text, "a child panicked, and nobody awaited it");
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
            Ok(mut delivery) => match delivery.result.take() {
                Some(Ok(output)) => Ok(output),
                Some(Err(panic)) => Err(ChildError::Panicked(panic_text(panic))),
                None => Err(ChildError::Cut),
            },
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
