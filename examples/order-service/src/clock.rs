//! The time of day as the tables store it.

use std::time::{SystemTime, UNIX_EPOCH};

/// Milliseconds since 1970; a clock before that counts as 1970.
pub(crate) fn now_in_milliseconds() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}
