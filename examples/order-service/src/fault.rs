//! Fault injection, for rehearsals and tests only: one member is made to misbehave, to see that a stop goes on without it.
//!
//! Nothing here is reachable unless `ORDER_SERVICE_FAULT` is set when the process starts:
//!
//! | value | effect |
//! |---|---|
//! | `relay-hangs` | an iteration of `outbox_relay` never ends, so a stop has to abort it: `TimedOut` |
//! | `handler-hangs` | a request for an export never ends, with its transaction open: it is given up and rolled back |

/// A way to misbehave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// `relay-hangs`: the relay's iteration never ends.
    RelayHangs,
    /// `handler-hangs`: the handler that takes requests for exports never ends.
    HandlerHangs,
}

impl Fault {
    pub(crate) const EXPECTED: &'static str = "relay-hangs or handler-hangs";

    pub(crate) fn named(name: &str) -> Option<Self> {
        match name {
            "relay-hangs" => Some(Self::RelayHangs),
            "handler-hangs" => Some(Self::HandlerHangs),
            _ => None,
        }
    }
}

/// Passed by the relay at the start of each iteration.
pub(crate) async fn relay_passes(fault: Option<Fault>) {
    if fault == Some(Fault::RelayHangs) {
        tracing::warn!("ORDER_SERVICE_FAULT=relay-hangs: this iteration will not end");
        std::future::pending::<()>().await;
    }
}

/// Passed by a request for an export before it commits.
pub(crate) async fn handler_passes(fault: Option<Fault>) {
    if fault == Some(Fault::HandlerHangs) {
        tracing::warn!("ORDER_SERVICE_FAULT=handler-hangs: this request will not end");
        std::future::pending::<()>().await;
    }
}
