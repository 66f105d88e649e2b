//! A topic of one consumer group, in memory.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use tokio::time::sleep;

use crate::support::millis;

/// A message is delivered again until its offset is committed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Topic(Arc<AtomicU32>);

impl Topic {
    pub(crate) async fn deliver(&self) -> u32 {
        sleep(millis(1)).await;
        self.committed()
    }

    pub(crate) async fn commit(&self, message: u32) {
        sleep(millis(1)).await;
        self.0.store(message + 1, Relaxed);
    }

    /// The next message to deliver.
    pub(crate) fn committed(&self) -> u32 {
        self.0.load(Relaxed)
    }
}
