//! Fault injection, for rehearsals and tests only: one member is made to misbehave, to see that a stop goes on without it.
//!
//! Nothing here is reachable unless `ORDER_SERVICE_FAULT` is set when the process starts:
//!
//! | value | effect |
//! |---|---|
//! | `relay-hangs` | an iteration of `outbox_relay` never ends, so a stop has to abort it: `TimedOut` |

/// A way to misbehave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// `relay-hangs`: the relay's iteration never ends.
    RelayHangs,
}

impl Fault {
    pub(crate) const EXPECTED: &'static str = "relay-hangs";

    pub(crate) fn named(name: &str) -> Option<Self> {
        (name == "relay-hangs").then_some(Self::RelayHangs)
    }
}

/// Passed by the relay at the start of each iteration.
pub(crate) async fn relay_passes(fault: Option<Fault>) {
    if fault == Some(Fault::RelayHangs) {
        tracing::warn!("ORDER_SERVICE_FAULT=relay-hangs: this iteration will not end");
        std::future::pending::<()>().await;
    }
}
