//! Closing a resource: waits for the leases that are out, at most half its time, then calls its close aside.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, timeout_at};

use super::aside::{self, Aside};
use super::barrier::{holders_text, step_outcome};
use crate::closing::Closing;
use crate::deadline::later;
use crate::guarded::tell;
use crate::ledger::Holder;
use crate::output::TaskResult;
use crate::reason::Reason;
use crate::report::Outcome;
use crate::resource::{AnyResource, BoxFuture};

struct CloseStep {
    resource: Arc<dyn AnyResource>,
    closing: Closing,
}

impl aside::Step for CloseStep {
    fn run(&mut self) -> BoxFuture<'_, TaskResult> {
        self.resource.close(self.closing.clone())
    }
}

/// Closes a resource until the deadline; leases that are still out by half of it are named, and it closes all the same.
pub(crate) async fn within(
    resource: Arc<dyn AnyResource>,
    told: Instant,
    deadline: Instant,
    aside: Aside,
    reason: &Reason,
) -> (Outcome, Vec<Holder>) {
    let ledger = Arc::clone(resource.ledger());
    let half = told + deadline.saturating_duration_since(told) / 2;
    let mut holders = Vec::new();
    if timeout_at(half, ledger.all_returned()).await.is_err() && !ledger.is_idle() {
        holders = ledger.leases().iter().map(|note| Holder::of(note)).collect();
    }
    let step = CloseStep { resource, closing: Closing::new(deadline, reason.clone()) };
    let outcome = match step_outcome(aside::run(aside, ledger.spec.name, deadline, step).await) {
        Outcome::Completed if !holders.is_empty() => Outcome::Leaked(holders.clone()),
        outcome => outcome,
    };
    (outcome, holders)
}

/// Closes what a start-up that failed had made, newest first, each within its budget and all before `end`. Returns a line
/// for each that did not end well.
pub(crate) async fn close_newest_first(
    resources: Vec<Arc<dyn AnyResource>>,
    end: Instant,
    reason: &Reason,
) -> Vec<String> {
    let mut troubles = Vec::new();
    for resource in resources.into_iter().rev() {
        let spec = resource.ledger().spec;
        let told = Instant::now();
        let budget = Duration::from_millis(spec.budget.unwrap_or(spec.default_budget()));
        let deadline = later(told, budget).min(end).max(told);
        let (outcome, holders) = within(resource, told, deadline, Aside::Thread, reason).await;
        if outcome.is_clean() {
            tell!(info, resource = spec.name, "closed after a failed start");
            continue;
        }
        let mut trouble =
            format!("`{}` did not close well after a failed start: {}", spec.name, outcome.name());
        for text in outcome.text().map(ToOwned::to_owned).into_iter().chain(holders_text(&holders)) {
            trouble.push_str(": ");
            trouble.push_str(&text);
        }
        tell!(error, "{trouble}");
        troubles.push(trouble);
    }
    troubles
}
