//! Counting the awaits at which futures wait, and acting at one of them.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::time::{Instant, Sleep, sleep};

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
    after: Duration,
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

/// How often a future may be polled before the clock has to move.
const POLLS_AT_ONE_TIME: u32 = 10_000;

/// Lets the paused clock move on beside a future that is always ready to go on: it moves only when everything waits, and
/// without it no limit ever comes.
#[derive(Debug)]
pub(super) struct Pace {
    at: Instant,
    polls: u32,
    rest: Duration,
    resting: Option<Pin<Box<Sleep>>>,
}

impl Pace {
    pub(super) fn new() -> Self {
        Self { at: Instant::now(), polls: 0, rest: Duration::from_millis(1), resting: None }
    }

    /// Ready where the future may be polled. Each rest is twice the one before, so that any limit comes after a few.
    pub(super) fn poll_rest(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let now = Instant::now();
        if now != self.at {
            (self.at, self.polls) = (now, 0);
        }
        self.polls = self.polls.saturating_add(1);
        if self.polls > POLLS_AT_ONE_TIME && self.resting.is_none() {
            self.resting = Some(Box::pin(sleep(self.rest)));
            self.rest = self.rest.saturating_mul(2);
        }
        if let Some(resting) = &mut self.resting {
            ready!(resting.as_mut().poll(context));
            self.resting = None;
        }
        Poll::Ready(())
    }
}
