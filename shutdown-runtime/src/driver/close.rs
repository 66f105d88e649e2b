//! Closing a resource: waits for the leases that are out, at most half its time, then calls its close aside.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, timeout_at};

use super::aside::{self, Aside};
use super::barrier::{holders_text, step_outcome};
use crate::closing::Closing;
use crate::deadline::{later, share};
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

/// Closes what a start-up that failed had made, newest first, and all before `end`. Where that leaves less than they may take
/// together, each gets its share of what is left, as members do at a stop: one that hangs takes none from the others. Returns
/// a line for each that did not end well.
pub(crate) async fn close_newest_first(
    resources: Vec<Arc<dyn AnyResource>>,
    end: Instant,
    reason: &Reason,
) -> Vec<String> {
    let mut troubles = Vec::new();
    let budget_of = |resource: &Arc<dyn AnyResource>| {
        let spec = resource.ledger().spec;
        Duration::from_millis(spec.budget.unwrap_or(spec.default_budget()))
    };
    let mut needed = resources.iter().map(budget_of).fold(Duration::ZERO, Duration::saturating_add);
    for resource in resources.into_iter().rev() {
        let spec = resource.ledger().spec;
        let told = Instant::now();
        let budget = budget_of(&resource);
        let limit = share(budget, end.saturating_duration_since(told), needed);
        needed = needed.saturating_sub(budget);
        let deadline = later(told, limit).min(end).max(told);
        let (outcome, holders) = within(resource, told, deadline, Aside::Thread, reason).await;
        if outcome.is_clean() {
            tell!(info, member = spec.name, "closed after a failed start");
            continue;
        }
        let mut trouble =
            format!("`{}` did not close well after a failed start: {}", spec.name, outcome.name());
        for text in outcome.text().map(ToOwned::to_owned).into_iter().chain(holders_text(&holders)) {
            trouble.push_str(": ");
            trouble.push_str(&text);
        }
        tell!(error, member = spec.name, outcome = outcome.name(), "{trouble}");
        troubles.push(trouble);
    }
    troubles
}
