//! The report as data (feature `serde`): names that stay, durations in seconds, what may be one of several as tagged objects.
//!
//! Written out rather than derived, so that this page is the format, and a field that is renamed in Rust changes nothing.

use serde::ser::{Serialize, SerializeStruct as _, Serializer};

use crate::graph::Kind;
use crate::ledger::Holder;
use crate::reason::Reason;
use crate::report::{MemberReport, Outcome, PhaseReport, Report};

impl Serialize for Report {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Report", 10)?;
        fields.serialize_field("plan", self.plan)?;
        fields.serialize_field("reason", &self.reason)?;
        fields.serialize_field("clean", &self.is_clean())?;
        fields.serialize_field("exit_code", &self.exit_code())?;
        fields.serialize_field("total_seconds", &self.total.as_secs_f64())?;
        fields.serialize_field("granted_seconds", &self.granted.as_secs_f64())?;
        fields.serialize_field("taken_up_seconds", &self.taken_up.as_secs_f64())?;
        fields.serialize_field("window_seconds", &self.window.as_secs_f64())?;
        fields.serialize_field("critical_path", &self.critical_path().collect::<Vec<_>>())?;
        fields.serialize_field("phases", &self.phases)?;
        fields.end()
    }
}

impl Serialize for PhaseReport {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("PhaseReport", 8)?;
        fields.serialize_field("name", &self.name)?;
        fields.serialize_field("outcome", &self.outcome)?;
        fields.serialize_field("began_seconds", &self.began.map(|began| began.as_secs_f64()))?;
        fields.serialize_field("duration_seconds", &self.duration.as_secs_f64())?;
        fields.serialize_field("budget_seconds", &self.budget.as_secs_f64())?;
        fields.serialize_field("slack_seconds", &self.slack().as_secs_f64())?;
        fields.serialize_field("critical", &self.critical)?;
        fields.serialize_field("members", &self.members)?;
        fields.end()
    }
}

impl Serialize for MemberReport {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("MemberReport", 11)?;
        fields.serialize_field("name", self.name)?;
        fields.serialize_field("kind", &self.kind)?;
        fields.serialize_field("outcome", &self.outcome)?;
        fields.serialize_field("told_seconds", &self.told.map(|told| told.as_secs_f64()))?;
        fields.serialize_field("duration_seconds", &self.duration.as_secs_f64())?;
        fields.serialize_field("budget_seconds", &self.budget.as_secs_f64())?;
        fields.serialize_field("limit_seconds", &self.limit.as_secs_f64())?;
        fields.serialize_field("slack_seconds", &self.slack().as_secs_f64())?;
        fields.serialize_field("holders", &self.holders)?;
        fields.serialize_field("units_over_limit", &self.units_over_limit)?;
        fields.serialize_field("counters", &ByName(&self.counters))?;
        fields.end()
    }
}

/// Counters as an object, in their order.
struct ByName<'a>(&'a [(&'static str, u64)]);

impl Serialize for ByName<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().copied())
    }
}

impl Serialize for Kind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl Serialize for Outcome {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let end = match self {
            Self::Completed => "completed",
            Self::Dropped => "dropped",
            Self::Failed(_) => "failed",
            Self::Panicked(_) => "panicked",
            Self::TimedOut => "timed_out",
            Self::Abandoned => "abandoned",
            Self::Leaked(_) => "leaked",
            Self::NotStarted => "not_started",
            Self::Unknown => "unknown",
        };
        let names = match self {
            Self::Failed(_) | Self::Panicked(_) | Self::Leaked(_) => 2,
            _ => 1,
        };
        let mut fields = serializer.serialize_struct("Outcome", names)?;
        fields.serialize_field("end", end)?;
        match self {
            Self::Failed(text) | Self::Panicked(text) => fields.serialize_field("text", text)?,
            Self::Leaked(holders) => fields.serialize_field("holders", holders)?,
            _ => {}
        }
        fields.end()
    }
}

impl Serialize for Reason {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let names = match self {
            Self::Failed(..) | Self::Panicked(..) => 3,
            Self::Signal(_) | Self::Requested(_) | Self::Finished(_) => 2,
            Self::AllEnded => 1,
        };
        let mut fields = serializer.serialize_struct("Reason", names)?;
        match self {
            Self::Signal(signal) => {
                fields.serialize_field("trigger", "signal")?;
                fields.serialize_field("signal", signal.name())?;
            }
            Self::Requested(text) => {
                fields.serialize_field("trigger", "requested")?;
                fields.serialize_field("text", &**text)?;
            }
            Self::Failed(task, text) => {
                fields.serialize_field("trigger", "failed")?;
                fields.serialize_field("task", task)?;
                fields.serialize_field("text", &**text)?;
            }
            Self::Panicked(task, text) => {
                fields.serialize_field("trigger", "panicked")?;
                fields.serialize_field("task", task)?;
                fields.serialize_field("text", &**text)?;
            }
            Self::Finished(task) => {
                fields.serialize_field("trigger", "finished")?;
                fields.serialize_field("task", task)?;
            }
            Self::AllEnded => fields.serialize_field("trigger", "all_ended")?,
        }
        fields.end()
    }
}

impl Serialize for Holder {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Holder", 4)?;
        fields.serialize_field("resource", self.resource)?;
        fields.serialize_field("member", &self.member)?;
        fields.serialize_field("file", self.place.file())?;
        fields.serialize_field("line", &self.place.line())?;
        fields.end()
    }
}
