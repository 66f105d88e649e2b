//! What a run's report must say, worked out from what its members were told to do.

use std::time::Duration;

use shutdown_runtime::{MemberReport, Report};

use crate::plans::{Part, Role, Scenario};
use crate::world::{Act, Step};

/// Times are told apart up to this: tokio's clock counts milliseconds, and each wake-up may add one.
const BLUR: Duration = Duration::from_millis(4);

/// When an act that began at the stop ends by itself, counted from the member's being told, and as what.
type End = (Option<Duration>, &'static str);

/// One run as it went.
#[derive(Debug)]
pub(crate) struct Seen<'a> {
    pub(crate) scenario: &'a Scenario,
    pub(crate) roles: &'a [Role],
    pub(crate) report: &'a Report,
    /// The members in the order of the roles, found by phase and place.
    members: Vec<&'a MemberReport>,
    /// When the stop began, from the start of the run.
    began: Duration,
    pub(crate) wrong: Vec<String>,
}

const fn millis(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

impl<'a> Seen<'a> {
    pub(crate) fn new(scenario: &'a Scenario, roles: &'a [Role], report: &'a Report) -> Self {
        let by_themselves = roles.iter().filter_map(|role| match role.part {
            Part::Task(act) | Part::Dropped(act) => moment(act),
            _ => None,
        });
        let began = by_themselves.chain([scenario.asked]).min().unwrap_or(scenario.asked);
        Self { scenario, roles, report, members: Vec::new(), began, wrong: Vec::new() }
    }

    fn complain(&mut self, what: String) {
        self.wrong.push(what);
    }

    /// Every rule; what is broken is in `wrong`.
    pub(crate) fn judge(&mut self) {
        if self.find_members() {
            self.reason();
            self.time();
            self.order();
            for number in 0..self.roles.len() {
                self.member(number);
            }
        }
    }

    /// The report has each member that was made, in its phase, and no other.
    fn find_members(&mut self) -> bool {
        let mut places: Vec<_> =
            self.report.phases.iter().map(|phase| (phase.name.as_ref(), phase.members.iter())).collect();
        for role in self.roles {
            let phase = self.scenario.shape.phase(role.group);
            let place = places.iter_mut().find(|(name, _)| *name == phase);
            match place.and_then(|(_, members)| members.next()) {
                Some(member) if member.name == role.name => self.members.push(member),
                other => {
                    self.wrong.push(format!("{role:?} is not in the report: there stands {other:?}"));
                    return false;
                }
            }
        }
        let left: usize = places.into_iter().map(|(_, members)| members.count()).sum();
        if left > 0 {
            self.complain(format!("{left} members in the report were never made"));
        }
        left == 0
    }

    fn reason(&mut self) {
        let failed = self.began < self.scenario.asked;
        if self.report.reason.is_failure() != failed {
            self.complain(format!("the reason is {}, a failure: {failed}", self.report.reason));
        }
        let unclean = failed || self.members.iter().any(|member| !member.outcome.is_clean());
        if (self.report.exit_code() == 1) != unclean || self.report.is_clean() == unclean {
            self.complain(format!("exit code {}, unclean: {unclean}", self.report.exit_code()));
        }
    }

    fn time(&mut self) {
        let (total, granted) = (self.report.total, self.report.granted);
        // A member's join may add a blur at each step of the path.
        if total > granted + 6 * BLUR {
            self.complain(format!("it took {total:?} of {granted:?}"));
        }
        if let Some(told) = self.scenario.total.filter(|told| granted > *told) {
            self.complain(format!("{granted:?} granted of {told:?}"));
        }
    }

    fn order(&mut self) {
        let phases = |name: &str| self.report.phases.iter().find(|phase| phase.name == name);
        let mut wrong = Vec::new();
        for (first, second) in self.scenario.shape.orders() {
            let (Some(first), Some(second)) = (phases(first), phases(second)) else {
                wrong.push(format!("`{first}` or `{second}` is not in the report"));
                continue;
            };
            let over = first.began.map(|began| began + first.duration);
            if over.is_none() || second.began < over {
                wrong.push(format!(
                    "`{}` began {:?}, `{}` was over {over:?}",
                    second.name, second.began, first.name
                ));
            }
            for member in &second.members {
                if member.told < over {
                    wrong.push(format!("`{}` was told {:?}, too early", member.name, member.told));
                }
            }
        }
        self.wrong.extend(wrong);
    }

    fn member(&mut self, number: usize) {
        let (role, member) = (self.roles[number], self.members[number]);
        let Some(told) = member.told else {
            return self.complain(format!("{role:?} was never told to stop"));
        };
        if member.limit > member.budget || member.duration > member.limit + BLUR {
            self.complain(format!("{role:?} took {:?} of {:?}", member.duration, member.limit));
        }
        let (end, forced) = match role.part {
            Part::Task(act) => self.task(act, told),
            Part::Dropped(act) => self.dropped(act, told),
            Part::Ticks(takes) => return self.ticks(role, member, takes),
            Part::Hook(Step::ForgetsItsLease) => ((None, ""), "Leaked"),
            Part::Hook(step) => (step_end(step, Duration::ZERO), "TimedOut"),
            Part::Cache(step) | Part::Store(step) => self.close(number, step, told),
        };
        let (in_time, late) = match end.0 {
            Some(at) => (at < member.limit + BLUR, at + BLUR > member.limit),
            None => (false, true),
        };
        let name = member.outcome.name();
        if !(in_time && name == end.1 || late && name == forced) {
            self.complain(format!(
                "{role:?} should be {end:?} or {forced} after {:?}: {member:?}",
                member.limit
            ));
        }
        if matches!(name, "Panicked" | "Failed") && member.outcome.text().is_none_or(str::is_empty) {
            self.complain(format!("{role:?} lost its text: {member:?}"));
        }
        if name == "Leaked" && member.holders.is_empty() {
            self.complain(format!("{role:?} does not say who holds what: {member:?}"));
        }
        let wanted = end.0.filter(|_| in_time).unwrap_or(member.limit);
        if member.duration.abs_diff(wanted.min(member.limit)) > 2 * BLUR {
            self.complain(format!("{role:?} took {:?}, not {wanted:?}: {member:?}", member.duration));
        }
    }

    /// How a member ends that ends by itself at a moment, whatever the plan does.
    fn at(&self, moment: u64, told: Duration, name: &'static str) -> End {
        let after_start = millis(moment);
        let early = after_start <= self.began;
        let name = match name {
            "Completed" if early => "Failed",
            name => name,
        };
        (Some(after_start.saturating_sub(self.began + told)), name)
    }

    fn task(&self, act: Act, told: Duration) -> (End, &'static str) {
        let at_once = (Some(Duration::ZERO), "Completed");
        let end = match act {
            Act::Obeys(time) | Act::CriticalBehindADroppedCaller(time) => (Some(millis(time)), "Completed"),
            Act::DetachesItsLease(time) => return ((Some(millis(time)), "Completed"), "Leaked"),
            Act::Hangs
            | Act::NeverLooks
            | Act::SpawnsWithoutEnd
            | Act::ChildHangs
            | Act::ChildPanicsInDrop => (None, ""),
            Act::PanicsInDrain(time) => (Some(millis(time)), "Panicked"),
            Act::FailsInDrain(time) => (Some(millis(time)), "Failed"),
            Act::PanicsAt(moment) => self.at(moment, told, "Panicked"),
            Act::FailsAt(moment) => self.at(moment, told, "Failed"),
            Act::ReturnsAt(moment) => self.at(moment, told, "Completed"),
            Act::ForgetsItsLease | Act::ParksItsLease => return ((None, ""), "Leaked"),
            // A child each millisecond, or two, and the last one's three.
            Act::SpawnsLate(rounds) => (Some(millis(rounds + 3)), "Completed"),
            Act::ChildPanics => at_once,
            Act::PanicsInDrop => return ((None, ""), "Panicked"),
            Act::PanicsInDropAtItsEnd => (Some(Duration::ZERO), "Panicked"),
        };
        (end, "TimedOut")
    }

    /// A task with nothing to lose, which is dropped as soon as its phase stops.
    fn dropped(&self, act: Act, told: Duration) -> (End, &'static str) {
        let (end, _) = self.task(act, told);
        match end {
            (Some(at), name) if at.is_zero() => ((Some(at), name), ""),
            _ if act == Act::PanicsInDrop => ((Some(Duration::ZERO), "Panicked"), ""),
            _ => ((Some(Duration::ZERO), "Dropped"), ""),
        }
    }

    /// An iteration that runs is finished, wherever in it the stop came.
    fn ticks(&mut self, role: Role, member: &MemberReport, takes: u64) {
        let name = member.outcome.name();
        let may_be_late = millis(takes) + BLUR > member.limit;
        if name != "Completed" && !(may_be_late && name == "TimedOut") {
            self.complain(format!("{role:?} ended otherwise: {member:?}"));
        }
    }

    /// A close waits for the leases that are out, at most half its limit.
    fn close(&self, number: usize, step: Step, told: Duration) -> (End, &'static str) {
        let half = self.members[number].limit / 2;
        let back = self.last_lease_back(number);
        let waits = back.map_or(half, |back| back.saturating_sub(told).min(half));
        let leaked = back.is_none_or(|back| back > told + half + BLUR);
        let (at, name) = step_end(step, waits);
        match (name, step) {
            // Its value is still held, so it is not dropped.
            ("Panicked", Step::PanicsInDrop) | ("Completed", _) if leaked => ((at, "Leaked"), "TimedOut"),
            _ => ((at, name), "TimedOut"),
        }
    }

    /// When the last lease of a resource is back, from the trigger; `None`: never.
    fn last_lease_back(&self, number: usize) -> Option<Duration> {
        let of_cache = matches!(self.roles[number].part, Part::Cache(_));
        let mut last = Duration::ZERO;
        for (role, member) in self.roles.iter().zip(&self.members) {
            let told = member.told.unwrap_or_default();
            let uses = match role.part {
                Part::Cache(_) => !of_cache,
                Part::Store(_) => false,
                _ => (role.name == "reader") == of_cache,
            };
            let back = match role.part {
                _ if !uses => continue,
                Part::Task(Act::ForgetsItsLease | Act::ParksItsLease) | Part::Hook(Step::ForgetsItsLease) => {
                    return None;
                }
                Part::Task(Act::DetachesItsLease(time)) => told + millis(time),
                // The cache's own lease goes with its value, when the last of its leases does.
                Part::Cache(_) => self.last_lease_back(number - 1)?.max(told + member.duration),
                _ => told + member.duration,
            };
            last = last.max(back);
        }
        Some(last)
    }
}

fn moment(act: Act) -> Option<Duration> {
    match act {
        Act::PanicsAt(moment) | Act::FailsAt(moment) | Act::ReturnsAt(moment) => Some(millis(moment)),
        _ => None,
    }
}

fn step_end(step: Step, after: Duration) -> End {
    let end = |time, name| (Some(after + millis(time)), name);
    match step {
        Step::Takes(time) => end(time, "Completed"),
        Step::Hangs => (None, ""),
        Step::Panics(time) => end(time, "Panicked"),
        Step::Fails(time) => end(time, "Failed"),
        Step::PanicsInDrop => end(0, "Panicked"),
        Step::ForgetsItsLease => end(0, "Completed"),
    }
}
