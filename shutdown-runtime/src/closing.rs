//! What a close is told about the stop.

use std::time::Duration;

use tokio::time::Instant;

use crate::reason::Reason;

/// What a close is told: how long it may take, and why the service stops.
#[derive(Clone, Debug)]
pub struct Closing {
    deadline: Instant,
    reason: Reason,
}

impl Closing {
    pub(crate) fn new(deadline: Instant, reason: Reason) -> Self {
        Self { deadline, reason }
    }

    /// The time that is left before the close is given up; zero once it is over.
    pub fn time_left(&self) -> Duration {
        self.deadline.saturating_duration_since(Instant::now())
    }

    /// When the close is given up.
    pub fn deadline(&self) -> Instant {
        self.deadline
    }

    /// Why the service stops.
    pub fn reason(&self) -> &Reason {
        &self.reason
    }
}
