//! Time: when everything must be over, how long the window is, and what a member gets of what is left.

use std::time::Duration;

use tokio::time::Instant;

use crate::graph::{PlanSpec, drain_hooks, needed};
use crate::reason::{Reason, Signal};
use crate::trigger::Triggered;

/// How the time of one stop is dealt out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TimePlan {
    /// Everything is over by then.
    pub(crate) deadline: Instant,
    /// When the watchdog ends the process.
    pub(crate) last_moment: Instant,
    /// What hooks at the drain, the whole window and the longest path take where nobody is hurried.
    pub(crate) needed: Duration,
    /// From readiness off to the first phase, without what hooks at the drain take.
    pub(crate) window: Duration,
}

/// What an orderly stop needs to leave, however little was granted.
const LEAST_MARGIN: Duration = Duration::from_millis(250);

fn millis(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

/// Deals the time out, from everything that was said so far. A signal that came later may only lower the deadline.
pub(crate) fn time_plan(spec: &PlanSpec, triggered: &Triggered, total: Option<Duration>) -> TimePlan {
    let (reason, began) = triggered.first.clone().unwrap_or_else(|| (Reason::AllEnded, Instant::now()));
    let (budget, pre_stop, margin) = (millis(spec.budget), millis(spec.pre_stop), millis(spec.margin));
    let total = total.filter(|total| *total < budget);
    // Where hardly any time is granted, the phases get half of it.
    let margin = total.map_or(margin, |total| margin.min(total / 2));
    let announced = total.unwrap_or_else(|| budget.saturating_sub(pre_stop)).saturating_sub(margin);
    let unannounced = total.unwrap_or(budget).saturating_sub(margin);
    let own = if reason.is_announced() { announced } else { unannounced };
    let mut deadline = later(began, own);
    for signal in [triggered.terminate, triggered.interrupt].into_iter().flatten() {
        deadline = deadline.min(later(signal, announced));
    }
    let window = window(spec, triggered, &reason);
    let needed = millis(drain_hooks(spec)).saturating_add(window).saturating_add(millis(needed(spec)));
    let left = deadline.saturating_duration_since(began);
    TimePlan {
        deadline,
        last_moment: later(deadline, (margin / 2).max(LEAST_MARGIN)),
        needed,
        window: share(window, left, needed),
    }
}

fn window(spec: &PlanSpec, triggered: &Triggered, reason: &Reason) -> Duration {
    let lame_duck = millis(spec.lame_duck);
    if triggered.now || triggered.interrupt.is_some() || reason.is_natural() {
        return Duration::ZERO;
    }
    match reason {
        Reason::Signal(Signal::Terminate) => lame_duck,
        // Its preStop hook has run by then, so only the rest is needed.
        _ if triggered.terminate.is_some() => lame_duck,
        _ => lame_duck.saturating_add(millis(spec.pre_stop)),
    }
}

/// `budget` in proportion: all of it where `left` covers what is needed from here on.
pub(crate) fn share(budget: Duration, left: Duration, needed: Duration) -> Duration {
    if left >= needed || needed.is_zero() {
        return budget;
    }
    budget.mul_f64((left.as_secs_f64() / needed.as_secs_f64()).clamp(0.0, 1.0))
}

/// That much later; a moment too far away to be told is a year away.
pub(crate) fn later(at: Instant, by: Duration) -> Instant {
    const FAR: Duration = Duration::from_secs(60 * 60 * 24 * 365);
    at.checked_add(by).or_else(|| at.checked_add(FAR)).unwrap_or(at)
}
