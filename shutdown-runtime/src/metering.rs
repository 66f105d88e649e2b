//! What a plan measures for the `metrics` crate (feature `metrics`); without the feature nothing is measured here.
//!
//! A stop's numbers are gauges that are set as each phase ends: a scrape after the last phase comes too late, and one
//! before it should see what is known.
#![cfg_attr(
    not(feature = "metrics"),
    allow(
        unused_variables,
        clippy::missing_const_for_fn,
        reason = "nothing is measured without the feature"
    )
)]

use std::time::Duration;

use crate::board::{Board, PhaseNumber};

/// Says what the numbers mean, to a recorder that wants to know.
pub(crate) fn describe() {
    #[cfg(feature = "metrics")]
    crate::guarded::guarded(|| {
        use metrics::{Unit, describe_counter, describe_gauge, describe_histogram};

        describe_gauge!("app_live_tasks", Unit::Count, "tasks of the plan that have not ended");
        describe_histogram!("app_iteration_duration_seconds", Unit::Seconds, "iterations of a periodic task");
        describe_counter!(
            "app_units_over_limit_total",
            Unit::Count,
            "units of work that took longer than declared"
        );
        describe_gauge!(
            "app_shutdown_duration_seconds",
            Unit::Seconds,
            "from the trigger to the phase that ended last"
        );
        describe_gauge!("app_shutdown_phase_duration_seconds", Unit::Seconds, "a phase that is over");
        describe_gauge!(
            "app_shutdown_member_duration_seconds",
            Unit::Seconds,
            "a member, from being told to its end"
        );
    });
}

/// So many tasks of the plan have not ended.
pub(crate) fn live_tasks(plan: &'static str, count: usize) {
    #[cfg(feature = "metrics")]
    crate::guarded::guarded(|| {
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        metrics::gauge!("app_live_tasks", "plan" => plan).set(f64::from(count));
    });
}

/// One iteration of a periodic task took so long.
pub(crate) fn iteration(task: &'static str, elapsed: Duration) {
    #[cfg(feature = "metrics")]
    crate::guarded::guarded(|| {
        metrics::histogram!("app_iteration_duration_seconds", "task" => task).record(elapsed);
    });
}

/// One more unit of work took longer than its task declared.
pub(crate) fn unit_over_limit(task: &'static str) {
    #[cfg(feature = "metrics")]
    crate::guarded::guarded(|| {
        metrics::counter!("app_units_over_limit_total", "task" => task).increment(1);
    });
}

/// A phase is over: what it and its members came to, and how long the stop has taken.
pub(crate) fn phase_over(board: &Board, phase: PhaseNumber) {
    #[cfg(feature = "metrics")]
    if let Some((so_far, report)) = board.phase_report(phase) {
        let plan = board.plan();
        crate::guarded::guarded(|| {
            for member in &report.members {
                metrics::gauge!(
                    "app_shutdown_member_duration_seconds",
                    "plan" => plan,
                    "phase" => report.name.clone(),
                    "member" => member.name,
                    "outcome" => member.outcome.name(),
                )
                .set(member.duration);
            }
            metrics::gauge!(
                "app_shutdown_phase_duration_seconds",
                "plan" => plan,
                "phase" => report.name.clone(),
                "outcome" => report.outcome.name(),
            )
            .set(report.duration);
            metrics::gauge!("app_shutdown_duration_seconds", "plan" => plan).set(so_far);
        });
    }
}
