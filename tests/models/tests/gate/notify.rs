//! What the gate relies on of tokio's `Notify`: `notify_waiters` wakes everyone who registered before, and no one else.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use loom::sync::Mutex;

#[derive(Debug, Default)]
struct Waiting {
    /// How often those who wait were told.
    calls: usize,
    wakers: Vec<Waker>,
}

#[derive(Debug)]
pub(crate) struct Notify(Mutex<Waiting>);

impl Notify {
    pub(crate) fn new() -> Self {
        Self(Mutex::new(Waiting::default()))
    }

    pub(crate) fn notify_waiters(&self) {
        let wakers = {
            let mut waiting = self.0.lock().expect("no panic while it is held");
            waiting.calls += 1;
            std::mem::take(&mut waiting.wakers)
        };
        wakers.into_iter().for_each(Waker::wake);
    }

    pub(crate) fn notified(&self) -> Notified<'_> {
        Notified { notify: self, since: None }
    }
}

pub(crate) struct Notified<'a> {
    notify: &'a Notify,
    since: Option<usize>,
}

impl Notified<'_> {
    /// Registers: what is told from now on is not missed.
    pub(crate) fn enable(mut self: Pin<&mut Self>) {
        let calls = self.notify.0.lock().expect("no panic while it is held").calls;
        self.since.get_or_insert(calls);
    }
}

impl Future for Notified<'_> {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let mut waiting = self.notify.0.lock().expect("no panic while it is held");
        if self.since.is_some_and(|since| since != waiting.calls) {
            return Poll::Ready(());
        }
        waiting.wakers.push(context.waker().clone());
        Poll::Pending
    }
}
