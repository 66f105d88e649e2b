//! The event that the relay publishes and the consumer reads.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// An order was placed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrderPlaced {
    /// Names this event for ever: what a consumer remembers in order to apply it once (R-SHUT-IDEM-1).
    pub event_id: Uuid,
    /// The order.
    pub order_id: Uuid,
    /// Who ordered.
    pub customer: String,
    /// For how much.
    pub amount_cents: i64,
}
