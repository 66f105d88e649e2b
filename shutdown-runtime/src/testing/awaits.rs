//! Counting the awaits at which futures wait, and acting at one of them.

use std::fmt;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::time::Instant;

use crate::ledger::lock;
use crate::timeline::short;

/// An await at which something was done.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// Counted from 1.
    pub(super) number: usize,
    /// Which member waited, in a plan.
    pub(super) member: Option<&'static str>,
    /// When, since the start of the run.
    after: std::time::Duration,
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "await {}", self.number)?;
        if let Some(member) = self.member {
            write!(formatter, ", where `{member}` waited")?;
        }
        write!(formatter, ", {} after the start", short(self.after))
    }
}

/// Counts the polls that end in waiting, over all futures of one run, up to the one that is meant.
#[derive(Debug)]
pub(super) struct Awaits {
    wanted: usize,
    seen: AtomicUsize,
    began: Instant,
    reached: Mutex<Option<Place>>,
}

impl Awaits {
    pub(super) fn up_to(wanted: usize) -> Arc<Self> {
        let (seen, reached) = (AtomicUsize::new(0), Mutex::new(None));
        Arc::new(Self { wanted, seen, began: Instant::now(), reached })
    }

    /// Someone waits; whether that is the await which is meant.
    pub(super) fn waits(&self, member: Option<&'static str>) -> bool {
        let number = self.seen.fetch_add(1, Ordering::Relaxed).saturating_add(1);
        let meant = number == self.wanted;
        if meant {
            let after = self.began.elapsed();
            *lock(&self.reached) = Some(Place { number, member, after });
        }
        meant
    }

    /// The await that was meant, if it was reached.
    pub(super) fn reached(&self) -> Option<Place> {
        lock(&self.reached).clone()
    }
}
