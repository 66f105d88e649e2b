//! Why a consumer cannot go on.

use rdkafka::error::KafkaError;

use crate::group_member::CommitError;

/// The consumer cannot go on; the message at hand will be delivered again after the restart.
#[derive(Debug, thiserror::Error)]
pub enum ConsumeError {
    /// No more messages can be fetched.
    #[error("fetching: {0}")]
    Fetch(#[from] KafkaError),
    /// The effect was not applied.
    #[error("applying: {0}")]
    Apply(#[from] sqlx::Error),
    /// The effect was applied and the offset not committed: a redelivery will find it in `processed_event`.
    #[error(transparent)]
    Commit(#[from] CommitError),
}
