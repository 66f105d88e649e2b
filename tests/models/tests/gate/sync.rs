//! loom's atomics under the names that the runtime uses, with orderings that a model may weaken.

use std::cell::Cell;

pub(crate) use crate::notify::Notify;
pub(crate) use std::sync::atomic::Ordering;

thread_local! {
    /// loom runs all threads of a model on the thread of its test.
    static WEAKENED: Cell<bool> = const { Cell::new(false) };
}

/// Whether every ordering is `Relaxed` from now on, in this thread's models.
pub(crate) fn weaken(weakened: bool) {
    WEAKENED.set(weakened);
}

fn ordering(written: Ordering) -> Ordering {
    if WEAKENED.get() { Ordering::Relaxed } else { written }
}

#[derive(Debug)]
pub(crate) struct AtomicUsize(loom::sync::atomic::AtomicUsize);

impl AtomicUsize {
    pub(crate) fn new(value: usize) -> Self {
        Self(loom::sync::atomic::AtomicUsize::new(value))
    }

    pub(crate) fn load(&self, order: Ordering) -> usize {
        self.0.load(ordering(order))
    }

    pub(crate) fn fetch_add(&self, value: usize, order: Ordering) -> usize {
        self.0.fetch_add(value, ordering(order))
    }

    pub(crate) fn fetch_sub(&self, value: usize, order: Ordering) -> usize {
        self.0.fetch_sub(value, ordering(order))
    }

    pub(crate) fn fetch_or(&self, value: usize, order: Ordering) -> usize {
        self.0.fetch_or(value, ordering(order))
    }

    pub(crate) fn compare_exchange(
        &self,
        current: usize,
        new: usize,
        success: Ordering,
        failure: Ordering,
    ) -> Result<usize, usize> {
        self.0.compare_exchange(current, new, ordering(success), ordering(failure))
    }
}
