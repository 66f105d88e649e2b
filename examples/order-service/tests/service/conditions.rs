//! What a run of a kill test is like, drawn by its seed.

use std::time::Duration;

use order_service::demo::load::Load;
use tokio::process::Command;

use crate::support::Chance;

/// The load on the service, and how it works through it.
#[derive(Debug)]
pub(crate) struct Conditions {
    pub(crate) load: Load,
    /// Between two changes of the catalogue.
    pub(crate) between_changes: Duration,
    relay_interval: Duration,
    relay_batch: u64,
    settle_interval: Duration,
}

impl Conditions {
    pub(crate) fn drawn(chance: &mut Chance) -> Self {
        let customers = u32::try_from(chance.between(1, 7)).unwrap();
        Self {
            load: Load { orders: 100_000, customers, pause: milliseconds(chance, 5, 60) },
            relay_interval: milliseconds(chance, 20, 500),
            relay_batch: chance.between(1, 60),
            settle_interval: milliseconds(chance, 20, 500),
            between_changes: milliseconds(chance, 5, 60),
        }
    }

    /// Has the service work like this.
    pub(crate) fn set(&self, command: &mut Command) {
        let text = |interval: Duration| format!("{}ms", interval.as_millis());
        command
            .env("ORDER_SERVICE_RELAY_INTERVAL", text(self.relay_interval))
            .env("ORDER_SERVICE_RELAY_BATCH", self.relay_batch.to_string())
            .env("ORDER_SERVICE_SETTLE_INTERVAL", text(self.settle_interval));
    }
}

pub(crate) fn milliseconds(chance: &mut Chance, low: u64, high: u64) -> Duration {
    Duration::from_millis(chance.between(low, high))
}
