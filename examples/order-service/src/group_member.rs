//! A member of a consumer group: fetching, committing by hand, and leaving the group, so that another replica gets the
//! partitions at once instead of after the session timeout (R-SHUT-KFK-1).

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use rdkafka::consumer::{CommitMode, Consumer, StreamConsumer};
use rdkafka::error::{KafkaError, RDKafkaErrorCode};
use rdkafka::message::Message;

use crate::broker::{self, Cluster};
use crate::start_error::StartError;

/// A commit that takes longer counts as failed.
const LONGEST_COMMIT: Duration = Duration::from_secs(5);

/// What the feeds are made of.
///
/// The consumer is shared with the blocking calls made here and with nobody else; its last owner leaves the group by dropping
/// it, which blocks. For a resource that happens on a thread of its own that may be abandoned.
pub(crate) struct GroupMember {
    consumer: Arc<StreamConsumer>,
}

/// A message, copied out of the client's buffers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Delivery {
    pub(crate) topic: String,
    pub(crate) partition: i32,
    pub(crate) offset: i64,
    pub(crate) payload: Vec<u8>,
}

/// An offset was not committed.
#[derive(Debug, thiserror::Error)]
pub enum CommitError {
    /// The broker refused.
    #[error("offset {offset} of partition {partition} not committed: {source}")]
    Refused {
        /// The message's partition.
        partition: i32,
        /// The message's offset.
        offset: i64,
        /// What the client said.
        source: KafkaError,
    },
    /// The client neither committed nor gave up.
    #[error(
        "the commit of offset {offset} of partition {partition} did not return within {LONGEST_COMMIT:?}"
    )]
    NoAnswer {
        /// The message's partition.
        partition: i32,
        /// The message's offset.
        offset: i64,
    },
}

/// What an operator may want otherwise.
const DEFAULTS: [(&str, &str); 3] = [
    ("partition.assignment.strategy", "cooperative-sticky"),
    ("session.timeout.ms", "6000"),
    ("heartbeat.interval.ms", "500"),
];

impl GroupMember {
    /// Makes the consumer and asks to join the group; it joins in the background.
    pub(crate) fn join(cluster: &Cluster, topic: &str, group: &str) -> Result<Self, StartError> {
        let failed = |error| StartError::kafka_client(cluster, &error);
        let consumer: StreamConsumer = broker::client(cluster, &DEFAULTS)
            .set("group.id", group)
            // Offsets are committed by hand after the effect, never by a timer before it (R-SHUT-KFK-X1, R-SHUT-KFK-3).
            .set("enable.auto.commit", "false")
            .set("enable.auto.offset.store", "false")
            .set("auto.offset.reset", "earliest")
            .create()
            .map_err(failed)?;
        consumer.subscribe(&[topic]).map_err(failed)?;
        Ok(Self { consumer: Arc::new(consumer) })
    }

    /// Asks to leave the group; dropping the consumer, which follows, waits until it is done. Blocks, as a close may.
    pub(crate) fn leave(&self) {
        // Only a commit that a rebalance put off is left to do; mostly there is none.
        if let Err(error) = self.consumer.commit_consumer_state(CommitMode::Sync)
            && error.rdkafka_error_code() != Some(RDKafkaErrorCode::NoOffset)
        {
            tracing::warn!(%error, "last commit: its messages will be delivered again");
        }
        self.consumer.unsubscribe();
    }

    /// The next message. Dropping this future loses nothing: a message that it would have returned was not committed.
    pub(crate) async fn next(&self) -> Result<Delivery, KafkaError> {
        loop {
            match self.consumer.recv().await {
                Ok(message) => {
                    return Ok(Delivery {
                        topic: message.topic().to_owned(),
                        partition: message.partition(),
                        offset: message.offset(),
                        payload: message.payload().unwrap_or_default().to_vec(),
                    });
                }
                Err(error) if is_passing(&error) => tracing::warn!(%error, "fetching"),
                Err(error) => return Err(error),
            }
        }
    }

    /// Commits the message's offset, with every earlier one that a rebalance kept from being committed.
    pub(crate) async fn commit(&self, delivery: &Delivery) -> Result<(), CommitError> {
        let (partition, offset) = (delivery.partition, delivery.offset);
        let (consumer, topic) = (Arc::clone(&self.consumer), delivery.topic.clone());
        // A commit has no time limit of its own, and may block for good if the broker went away.
        let commit = tokio::task::spawn_blocking(move || {
            consumer.store_offset(&topic, partition, offset)?;
            consumer.commit_consumer_state(CommitMode::Sync)
        });
        match tokio::time::timeout(LONGEST_COMMIT, commit).await {
            Ok(Ok(Ok(()) | Err(KafkaError::ConsumerCommit(RDKafkaErrorCode::NoOffset)))) => Ok(()),
            // Either the partition stays here and the next commit takes this offset along, or it moves and its new owner sees
            // the message again, which `processed_event` makes harmless.
            Ok(Ok(Err(KafkaError::ConsumerCommit(code) | KafkaError::StoreOffset(code))))
                if is_rebalance(code) =>
            {
                tracing::info!(partition, offset, %code, "commit put off by a rebalance");
                Ok(())
            }
            Ok(Ok(Err(source))) => Err(CommitError::Refused { partition, offset, source }),
            Ok(Err(_)) | Err(_) => Err(CommitError::NoAnswer { partition, offset }),
        }
    }
}

fn is_rebalance(code: RDKafkaErrorCode) -> bool {
    matches!(
        code,
        RDKafkaErrorCode::RebalanceInProgress
            | RDKafkaErrorCode::IllegalGeneration
            | RDKafkaErrorCode::UnknownMemberId
            | RDKafkaErrorCode::AssignmentLost
            // Said of a partition that is not assigned any more.
            | RDKafkaErrorCode::State
    )
}

/// The client reports a broker that it cannot reach as an error of the fetch, and goes on trying by itself.
fn is_passing(error: &KafkaError) -> bool {
    use RDKafkaErrorCode::{
        AllBrokersDown, BrokerTransportFailure, OperationTimedOut, UnknownTopicOrPartition,
    };
    matches!(
        error,
        KafkaError::MessageConsumption(
            AllBrokersDown | BrokerTransportFailure | OperationTimedOut | UnknownTopicOrPartition
        )
    )
}

impl fmt::Debug for GroupMember {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("GroupMember").finish_non_exhaustive()
    }
}
