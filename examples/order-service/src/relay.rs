//! The outbox relay: publishes what the requests left in the outbox, a batch at a time.

use shutdown_runtime::background_task;

use crate::database::Database;
use crate::fault::{self, Fault};
use crate::order_events::{OrderEvents, PublishError};
use crate::outbox;
use crate::settings::RelaySettings;

/// A batch was not published, or not all of it.
#[derive(Debug, thiserror::Error)]
pub enum RelayError {
    /// The outbox could not be read or marked.
    #[error("the outbox: {0}")]
    Outbox(#[from] sqlx::Error),
    /// Some events did not arrive; they stay pending.
    #[error("{failed} of {total} events stay pending: {first}")]
    Publish {
        /// How many failed.
        failed: usize,
        /// How many were tried.
        total: usize,
        /// Why the first of them failed.
        first: PublishError,
    },
}

/// One batch: claim, publish, wait for the broker, mark. A stop never cuts it short and never lets another one begin
/// (R-SHUT-SCHED-1, R-SHUT-SCHED-2).
///
/// Events are marked *after* the broker has confirmed them. A process that is killed in between publishes them again, and the
/// consumer's `processed_event` makes that harmless; the other way round they would be lost.
#[background_task(every = settings.interval, budget = "10s", batch = 500, per_item = "20ms")]
pub async fn outbox_relay(
    database: &Database,
    events: &OrderEvents,
    settings: RelaySettings,
    fault: Option<Fault>,
) -> Result<(), RelayError> {
    fault::relay_passes(fault).await;
    let claim = outbox::claim(database, settings.batch).await?;
    let total = claim.events().len();
    if total == 0 {
        return Ok(());
    }

    // All are handed over before the first is awaited, so that a batch costs one round trip and not one for each event.
    let on_their_way: Vec<_> = claim
        .events()
        .iter()
        .map(|event| (event.sequence, events.send(&event.topic, &event.key, &event.payload)))
        .collect();
    let mut arrived = Vec::with_capacity(total);
    let mut first_failure = None;
    for (sequence, message) in on_their_way {
        match message.arrived().await {
            Ok(()) => arrived.push(sequence),
            Err(error) => first_failure = first_failure.or(Some(error)),
        }
    }

    // What did arrive is marked even if the rest did not: otherwise one bad event would publish its neighbours for ever.
    let failed = total - arrived.len();
    claim.mark_published(&arrived).await?;
    metrics::counter!("events_published_total").increment(arrived.len() as u64);
    tracing::debug!(published = arrived.len(), failed, "batch");
    match first_failure {
        Some(first) => Err(RelayError::Publish { failed, total, first }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::broker::Cluster;
    use crate::demo::observation;
    use crate::embedded_broker::EmbeddedBroker;
    use crate::testing::{self, Scratch};

    const SETTINGS: RelaySettings = RelaySettings { interval: Duration::from_millis(1), batch: 2 };

    async fn published(scratch: &Scratch) -> Vec<bool> {
        let seen = observation::tables(&scratch.url).await.unwrap();
        seen.outbox.iter().map(|row| row.published).collect()
    }

    #[tokio::test]
    async fn an_iteration_publishes_and_marks_one_batch() {
        let broker = EmbeddedBroker::start().unwrap();
        let scratch = Scratch::new().await;
        let events = OrderEvents::connect(&Cluster::at(broker.bootstrap_servers())).unwrap();
        for _ in 0..3 {
            testing::place(&scratch.database).await.unwrap();
        }
        for expected in [[true, true, false], [true; 3], [true; 3]] {
            outbox_relay::body(&scratch.database, &events, SETTINGS, None).await.unwrap();
            assert_eq!(published(&scratch).await, expected);
        }
    }

    #[tokio::test]
    async fn without_a_broker_everything_stays_pending_and_the_iteration_ends() {
        let scratch = Scratch::new().await;
        let events = OrderEvents::connect(&Cluster::at("127.0.0.1:1")).unwrap();
        for _ in 0..3 {
            testing::place(&scratch.database).await.unwrap();
        }
        let error = outbox_relay::body(&scratch.database, &events, SETTINGS, None).await.unwrap_err();
        assert!(matches!(error, RelayError::Publish { failed: 2, total: 2, .. }), "{error}");
        assert_eq!(published(&scratch).await, [false; 3]);
    }

    /// The guide's defect L29.
    #[tokio::test]
    async fn one_event_that_is_refused_takes_no_mark_from_its_neighbours() {
        let broker = EmbeddedBroker::start().unwrap();
        let scratch = Scratch::new().await;
        let events = OrderEvents::connect(&Cluster::at(broker.bootstrap_servers())).unwrap();
        testing::place(&scratch.database).await.unwrap();
        // More than the client sends in one message.
        let (id, too_large) = (uuid::Uuid::new_v4(), "x".repeat(2_000_000));
        let mut transaction = scratch.database.begin().await.unwrap();
        outbox::record(&mut transaction, id, "orders", "key", &too_large).await.unwrap();
        transaction.commit().await.unwrap();
        testing::place(&scratch.database).await.unwrap();

        let settings = RelaySettings { batch: 10, ..SETTINGS };
        let error = outbox_relay::body(&scratch.database, &events, settings, None).await.unwrap_err();
        assert!(matches!(error, RelayError::Publish { failed: 1, total: 3, .. }), "{error}");
        assert_eq!(published(&scratch).await, [true, false, true]);
    }
}
