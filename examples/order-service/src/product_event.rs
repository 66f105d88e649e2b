//! The event that somebody else's catalogue sends, and the one that we send when we have taken it over.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// A product changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProductChanged {
    /// Names this event for ever (R-SHUT-IDEM-1).
    pub event_id: Uuid,
    /// The product.
    pub product_id: String,
    /// What it is called.
    pub name: String,
    /// What it costs, more than nothing.
    pub price_cents: i64,
    /// Counts the changes of a product: a change that comes after a later one is old.
    pub version: i64,
}

/// The catalogue here has a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CatalogUpdated {
    /// Names this event for ever.
    pub event_id: Uuid,
    /// The product.
    pub product_id: String,
    /// The version that it has now.
    pub version: i64,
}
