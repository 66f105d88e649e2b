//! Counts those who are inside, and lets no one in once it was closed with nobody left: a member's children, the leases
//! that are out.
//!
//! One number holds everything, so that entering and leaving is one atomic instruction each, and nothing can slip
//! between "is anyone left?" and "closed". `tests/models` checks this file with loom.

use crate::sync::{AtomicUsize, Notify, Ordering};

/// No one comes in any more.
const CLOSED: usize = 1;
/// Someone waits, or has waited, for the last one to leave: without, leaving need tell nobody.
const AWAITED: usize = 2;
/// One who is inside.
const ONE: usize = 4;

/// A count of those inside, and whether more may come.
#[derive(Debug)]
pub(crate) struct Gate {
    state: AtomicUsize,
    emptied: Notify,
}

impl Default for Gate {
    fn default() -> Self {
        Self { state: AtomicUsize::new(0), emptied: Notify::new() }
    }
}

impl Gate {
    /// Counts one in, also where the gate is closed.
    #[inline]
    pub(crate) fn enter(&self) {
        self.state.fetch_add(ONE, Ordering::Relaxed);
    }

    /// Counts one in, unless the gate is closed. Returns whether it did.
    #[inline]
    pub(crate) fn try_enter(&self) -> bool {
        if self.state.fetch_add(ONE, Ordering::Acquire) & CLOSED == 0 {
            return true;
        }
        // For this moment it looked as though someone were inside; who waits for the last one is told again.
        self.leave();
        false
    }

    /// Counts one out. What it did before is seen by whoever finds the gate empty.
    #[inline]
    pub(crate) fn leave(&self) {
        let before = self.state.fetch_sub(ONE, Ordering::AcqRel);
        if before & !CLOSED == ONE | AWAITED {
            self.tell();
        }
    }

    #[cold]
    fn tell(&self) {
        self.emptied.notify_waiters();
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.state.load(Ordering::Acquire) < ONE
    }

    /// Lets no one in from now on, whoever is still inside.
    pub(crate) fn close_at_once(&self) {
        self.state.fetch_or(CLOSED, Ordering::AcqRel);
    }

    /// Waits for a moment in which nobody is inside.
    pub(crate) async fn emptied(&self) {
        loop {
            let mut emptied = std::pin::pin!(self.emptied.notified());
            // Registered before the count is read, or the last one could leave between the two.
            emptied.as_mut().enable();
            if self.state.fetch_or(AWAITED, Ordering::AcqRel) < ONE {
                return;
            }
            emptied.await;
        }
    }

    /// Waits until nobody is inside, and lets no one in from that very moment on.
    pub(crate) async fn close(&self) {
        loop {
            self.emptied().await;
            let closed = AWAITED | CLOSED;
            match self.state.compare_exchange(AWAITED, closed, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => return,
                Err(state) if state == closed => return,
                // Someone came in meanwhile.
                Err(_) => {}
            }
        }
    }
}
