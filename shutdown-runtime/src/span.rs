//! Spans whose subscriber may panic: one that writes a line as a span closes does, once its pipe is gone.

use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context, Poll};

use pin_project_lite::pin_project;
use tracing::Span;
use tracing::span::Entered;

use crate::guarded::{discard, guarded};

/// A span that costs no stop, whatever the subscriber makes of it.
#[derive(Debug)]
pub(crate) struct SafeSpan(Option<Span>);

impl SafeSpan {
    pub(crate) fn new(make: impl FnOnce() -> Span) -> Self {
        Self(foreign(make))
    }

    pub(crate) fn current() -> Self {
        Self::new(Span::current)
    }

    /// In it until the value is dropped.
    pub(crate) fn enter(&self) -> Inside<'_> {
        Inside(self.0.as_ref().and_then(|span| foreign(|| span.enter())))
    }

    /// The future in this span, until and while it is dropped.
    pub(crate) fn around<F: Future>(self, future: F) -> InSpan<F> {
        InSpan { future: Some(future), span: self }
    }
}

impl Drop for SafeSpan {
    fn drop(&mut self) {
        let span = self.0.take();
        guarded(|| drop(span));
    }
}

fn foreign<T>(call: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(call)).map_err(discard).ok()
}

/// See [`SafeSpan::enter`].
pub(crate) struct Inside<'a>(Option<Entered<'a>>);

impl Drop for Inside<'_> {
    fn drop(&mut self) {
        let entered = self.0.take();
        guarded(|| drop(entered));
    }
}

pin_project! {
    /// See [`SafeSpan::around`].
    pub(crate) struct InSpan<F> {
        #[pin]
        future: Option<F>,
        span: SafeSpan,
    }

    impl<F> PinnedDrop for InSpan<F> {
        fn drop(this: Pin<&mut Self>) {
            let mut this = this.project();
            let _inside = this.span.enter();
            this.future.set(None);
        }
    }
}

impl<F: Future> Future for InSpan<F> {
    type Output = F::Output;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        let this = self.project();
        let _inside = this.span.enter();
        this.future.as_pin_mut().map_or(Poll::Pending, |future| future.poll(context))
    }
}
