//! What `gate.rs` is built of: named here, so that `tests/models` can compile that file with loom's.

pub(crate) use std::sync::atomic::{AtomicUsize, Ordering};
pub(crate) use tokio::sync::Notify;
