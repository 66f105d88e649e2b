//! The word of a member that says itself when it is ready (`ready = "explicit"`).

use std::sync::atomic::{AtomicBool, Ordering};

use tokio_util::sync::CancellationToken;

/// Whether it has said so, and whether that is still to be waited for.
#[derive(Debug, Default)]
pub(crate) struct Announcement {
    said: AtomicBool,
    settled: CancellationToken,
}

impl Announcement {
    /// It is ready; saying so again changes nothing.
    pub(crate) fn say(&self) {
        self.said.store(true, Ordering::Release);
        self.settled.cancel();
    }

    /// It has ended: nothing more is to be expected of it.
    pub(crate) fn ended(&self) {
        self.settled.cancel();
    }

    pub(crate) fn was_said(&self) -> bool {
        self.said.load(Ordering::Acquire)
    }

    /// Waits until it is said, or never will be.
    pub(crate) async fn settled(&self) {
        self.settled.cancelled().await;
    }
}
