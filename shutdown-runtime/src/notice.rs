//! A notice that is given once and stays given: a flag that costs one load to read, and one list of those who wait for it.
//!
//! Not a `CancellationToken`, which takes a lock for each clone, look and drop: at a stop all who waited drop theirs at
//! the same time, on all workers. One is made where somebody asks for it.

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll};

use pin_project_lite::pin_project;
use tokio::sync::Notify;
use tokio::sync::futures::{Notified, OwnedNotified};
use tokio_util::sync::CancellationToken;

/// Something that is said once.
#[derive(Debug, Default)]
pub(crate) struct Notice {
    given: AtomicBool,
    waiting: Arc<Notify>,
    token: OnceLock<CancellationToken>,
}

impl Notice {
    pub(crate) fn give(&self) {
        // Both this and `token` write the flag, so that one of them sees what the other did.
        self.given.swap(true, Ordering::AcqRel);
        self.waiting.notify_waiters();
        if let Some(token) = self.token.get() {
            token.cancel();
        }
    }

    #[inline]
    pub(crate) fn is_given(&self) -> bool {
        self.given.load(Ordering::Acquire)
    }

    /// A token that is cancelled when the notice is given. Cancelling it gives no notice.
    pub(crate) fn token(&self) -> CancellationToken {
        let token = self.token.get_or_init(CancellationToken::new);
        if self.given.fetch_or(false, Ordering::AcqRel) {
            token.cancel();
        }
        token.child_token()
    }

    /// Waits for it. What is returned owns its part of the notice.
    pub(crate) fn given(&self) -> Given {
        // It is told from here on, before its first poll too; so one look at the flag is enough.
        let waiting = self.waiter();
        Given { waiting: (!self.is_given()).then_some(waiting) }
    }

    /// One that waits, for who keeps the notice as well and looks at [`is_given`](Self::is_given) after polling this.
    pub(crate) fn waiter(&self) -> OwnedNotified {
        Arc::clone(&self.waiting).notified_owned()
    }

    /// Runs a future until the notice is given; `None` where it is, or where that comes first. Of both in one moment the
    /// future's end counts.
    pub(crate) async fn run_until_given<F: Future>(&self, future: F) -> Option<F::Output> {
        let waiting = self.waiting.notified();
        if self.is_given() {
            return None;
        }
        Until { future, waiting }.await
    }
}

pin_project! {
    /// See [`Notice::given`].
    #[derive(Debug)]
    pub(crate) struct Given {
        #[pin]
        waiting: Option<OwnedNotified>,
    }
}

impl Future for Given {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        self.project().waiting.as_pin_mut().map_or(Poll::Ready(()), |waiting| waiting.poll(context))
    }
}

pin_project! {
    struct Until<'a, F> {
        #[pin]
        future: F,
        #[pin]
        waiting: Notified<'a>,
    }
}

impl<F: Future> Future for Until<'_, F> {
    type Output = Option<F::Output>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.project();
        if let Poll::Ready(output) = this.future.poll(context) {
            return Poll::Ready(Some(output));
        }
        this.waiting.poll(context).map(|()| None)
    }
}

#[cfg(test)]
mod tests {
    use std::future::{Future, pending};
    use std::pin::{Pin, pin};
    use std::sync::Barrier;
    use std::task::{Context, Poll, Waker};

    use super::Notice;

    fn is_ready<F: Future>(future: Pin<&mut F>) -> bool {
        future.poll(&mut Context::from_waker(Waker::noop())).is_ready()
    }

    #[test]
    fn everyone_is_told_who_waits_whether_or_not_it_was_polled_before() {
        let notice = Notice::default();
        let (mut polled, mut unpolled) = (pin!(notice.given()), pin!(notice.given()));
        assert!(!is_ready(polled.as_mut()));
        notice.give();
        assert!(is_ready(polled.as_mut()) && is_ready(unpolled.as_mut()) && is_ready(pin!(notice.given())));
        assert!(is_ready(polled), "it stays given");
    }

    #[test]
    fn what_runs_until_then_ends_with_it_unless_it_is_done() {
        let notice = Notice::default();
        let mut cut = pin!(notice.run_until_given(pending::<()>()));
        let mut done = pin!(notice.run_until_given(async {
            let mut first = true;
            std::future::poll_fn(|_| if std::mem::take(&mut first) { Poll::Pending } else { Poll::Ready(7) })
                .await
        }));
        assert!(!is_ready(cut.as_mut()) && !is_ready(done.as_mut()));
        notice.give();
        let context = &mut Context::from_waker(Waker::noop());
        assert_eq!(cut.poll(context), Poll::Ready(None));
        assert_eq!(done.poll(context), Poll::Ready(Some(7)));
        assert_eq!(pin!(notice.run_until_given(async { 7 })).poll(context), Poll::Ready(None), "not begun");
    }

    #[test]
    fn a_token_is_told_whenever_it_was_made() {
        let notice = Notice::default();
        let before = notice.token();
        assert!(!before.is_cancelled());
        before.cancel();
        assert!(!notice.is_given() && !notice.token().is_cancelled());
        notice.give();
        assert!(notice.token().is_cancelled());
        for _ in 0..2_000 {
            let (notice, together) = (Notice::default(), Barrier::new(2));
            let token = std::thread::scope(|scope| {
                scope.spawn(|| {
                    together.wait();
                    notice.give();
                });
                together.wait();
                notice.token()
            });
            assert!(token.is_cancelled());
        }
    }
}
