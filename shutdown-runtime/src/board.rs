//! What is known of a stop at any moment; the report is read off it, also by the watchdog.

use std::borrow::Cow;
use std::sync::{Arc, Mutex, TryLockError};
use std::time::Duration;

use tokio::time::Instant;

use crate::counters::Counters;
use crate::graph::MemberSpec;
use crate::ledger::{Holder, lock};
use crate::reason::Reason;
use crate::report::{MemberReport, Outcome, PhaseReport, Report};
use crate::unit::Units;

/// A member's number on the board.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MemberNumber(usize);

/// A phase's number on the board.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PhaseNumber(usize);

/// The outcome of a member that is not over.
const UNKNOWN: &Outcome = &Outcome::Unknown;

#[derive(Debug)]
struct MemberLine {
    spec: &'static MemberSpec,
    budget: Duration,
    limit: Duration,
    told: Option<Instant>,
    over: Option<(Instant, Outcome)>,
    holders: Vec<Holder>,
    units: Option<Arc<Units>>,
    counters: Option<Arc<Counters>>,
}

#[derive(Debug)]
struct PhaseLine {
    name: Cow<'static, str>,
    budget: Duration,
    /// The phases that it directly follows; empty inside a part, which the critical path does not enter.
    after: Vec<usize>,
    in_part: bool,
    began: Option<Instant>,
    ended: Option<Instant>,
    members: Vec<usize>,
}

#[derive(Debug, Default)]
struct Lines {
    phases: Vec<PhaseLine>,
    members: Vec<MemberLine>,
    began: Option<(Reason, Instant)>,
    granted: Duration,
    /// When the conductor took the trigger up.
    taken_up: Option<Instant>,
    window: Option<Window>,
    has_parts: bool,
    failed: bool,
}

/// The window before the first phase.
#[derive(Clone, Copy, Debug)]
struct Window {
    began: Instant,
    /// `None` while it lasts.
    ended: Option<Instant>,
}

/// The progress of one plan's stop.
#[derive(Debug)]
pub(crate) struct Board {
    plan: &'static str,
    lines: Mutex<Lines>,
}

impl Board {
    pub(crate) fn new(plan: &'static str) -> Self {
        Self { plan, lines: Mutex::new(Lines::default()) }
    }

    pub(crate) fn add_phase(
        &self,
        name: Cow<'static, str>,
        budget: Duration,
        after: &[PhaseNumber],
        in_part: bool,
    ) -> PhaseNumber {
        let mut lines = lock(&self.lines);
        let after = after.iter().map(|phase| phase.0).collect();
        lines.has_parts |= in_part;
        let (began, ended, members) = (None, None, Vec::new());
        lines.phases.push(PhaseLine { name, budget, after, in_part, began, ended, members });
        PhaseNumber(lines.phases.len() - 1)
    }

    pub(crate) fn add_member(
        &self,
        phase: PhaseNumber,
        spec: &'static MemberSpec,
        budget: Duration,
        units: Option<Arc<Units>>,
        counters: Option<Arc<Counters>>,
    ) -> MemberNumber {
        let mut lines = lock(&self.lines);
        let number = lines.members.len();
        let holders = Vec::new();
        let line =
            MemberLine { spec, budget, limit: budget, told: None, over: None, holders, units, counters };
        lines.members.push(line);
        if let Some(phase) = lines.phases.get_mut(phase.0) {
            phase.members.push(number);
        }
        MemberNumber(number)
    }

    pub(crate) fn begin(&self, reason: &Reason, at: Instant, granted: Duration) {
        let mut lines = lock(&self.lines);
        lines.began = Some((reason.clone(), at));
        lines.granted = granted;
        lines.taken_up = Some(Instant::now());
    }

    pub(crate) fn window_begins(&self) {
        lock(&self.lines).window = Some(Window { began: Instant::now(), ended: None });
    }

    pub(crate) fn window_over(&self) {
        if let Some(window) = &mut lock(&self.lines).window {
            window.ended = Some(Instant::now());
        }
    }

    pub(crate) fn failure(&self) {
        lock(&self.lines).failed = true;
    }

    pub(crate) fn phase_begins(&self, phase: PhaseNumber) {
        if let Some(line) = lock(&self.lines).phases.get_mut(phase.0) {
            line.began = Some(Instant::now());
        }
    }

    /// Phases of which nothing runs, as those of absent members.
    pub(crate) fn phases_pass(&self, phases: &[PhaseNumber]) {
        if phases.is_empty() {
            return;
        }
        let now = Instant::now();
        let mut lines = lock(&self.lines);
        for phase in phases {
            if let Some(line) = lines.phases.get_mut(phase.0) {
                line.began = Some(now);
                line.ended = Some(now);
            }
        }
    }

    /// Returns how long the phase took.
    pub(crate) fn phase_ends(&self, phase: PhaseNumber) -> Duration {
        let now = Instant::now();
        let mut lines = lock(&self.lines);
        let Some(line) = lines.phases.get_mut(phase.0) else { return Duration::ZERO };
        line.ended = Some(now);
        line.began.map_or(Duration::ZERO, |began| now.duration_since(began))
    }

    /// What a phase came to, as of now, and how long the stop has taken.
    #[cfg(feature = "metrics")]
    pub(crate) fn phase_report(&self, phase: PhaseNumber) -> Option<(Duration, PhaseReport)> {
        let now = Instant::now();
        let lines = lock(&self.lines);
        let (_, began) = lines.began.as_ref()?;
        lines.phases.get(phase.0)?;
        Some((now.saturating_duration_since(*began), lines.phase(phase.0, *began, now, false)))
    }

    #[cfg(feature = "metrics")]
    pub(crate) const fn plan(&self) -> &'static str {
        self.plan
    }

    pub(crate) fn member_told(&self, member: MemberNumber, limit: Duration) {
        if let Some(line) = lock(&self.lines).members.get_mut(member.0) {
            line.told = Some(Instant::now());
            line.limit = limit;
        }
    }

    pub(crate) fn member_over(&self, member: MemberNumber, outcome: Outcome, holders: Vec<Holder>) {
        if let Some(line) = lock(&self.lines).members.get_mut(member.0) {
            line.over = Some((Instant::now(), outcome));
            line.holders = holders;
        }
    }

    /// The members that were told to stop and are not over.
    pub(crate) fn awaited(&self) -> Vec<&'static str> {
        let lines = lock(&self.lines);
        let awaited = lines.members.iter().filter(|line| line.told.is_some() && line.over.is_none());
        awaited.map(|line| line.spec.name).collect()
    }

    /// The report as of now. A member of which nothing is known is `Unknown`.
    pub(crate) fn report(&self) -> Report {
        lock(&self.lines).report(self.plan)
    }

    /// As [`report`](Self::report), for those who may not wait for a lock.
    ///
    /// `began` and `granted` are those of a stop that the conductor has not come to begin.
    pub(crate) fn try_report(&self, began: Option<(Reason, Instant)>, granted: Duration) -> Option<Report> {
        let mut lines = match self.lines.try_lock() {
            Ok(lines) => lines,
            Err(TryLockError::Poisoned(lines)) => lines.into_inner(),
            Err(TryLockError::WouldBlock) => return None,
        };
        if lines.began.is_none() {
            lines.began = began;
            lines.granted = granted;
        }
        Some(lines.report(self.plan))
    }
}

impl Lines {
    fn report(&self, plan: &'static str) -> Report {
        let now = Instant::now();
        let (reason, began) = self.began.clone().unwrap_or((Reason::AllEnded, now));
        let critical = self.critical_path();
        let mut phases: Vec<_> =
            (0..self.phases.len()).map(|number| self.phase(number, began, now, critical[number])).collect();
        phases.sort_by_key(|phase| phase.began.unwrap_or(Duration::MAX));
        let ended = self.phases.iter().filter_map(|line| line.ended).max();
        let since = |at: Instant| at.saturating_duration_since(began);
        let window = self.window;
        Report {
            plan,
            reason,
            total: ended.unwrap_or(now).saturating_duration_since(began),
            granted: self.granted,
            taken_up: self.taken_up.map_or_else(|| since(now), since),
            window: window.map_or(Duration::ZERO, |window| {
                window.ended.unwrap_or(now).saturating_duration_since(window.began)
            }),
            window_began: window.map_or(Duration::ZERO, |window| since(window.began)),
            phases,
            failed: self.failed,
            job: false,
        }
    }

    fn phase(&self, number: usize, began: Instant, now: Instant, critical: bool) -> PhaseReport {
        let line = &self.phases[number];
        let duration =
            line.began.map_or(Duration::ZERO, |at| line.ended.unwrap_or(now).saturating_duration_since(at));
        PhaseReport {
            name: line.name.clone(),
            began: line.began.map(|at| at.saturating_duration_since(began)),
            outcome: self.outcome(line),
            duration,
            budget: line.budget,
            critical,
            members: line.members.iter().map(|member| self.members[*member].report(began, now)).collect(),
        }
    }

    /// The worst of a phase's members' outcomes, and of those of the parts in it, whose phases are named after it.
    fn outcome(&self, line: &PhaseLine) -> Outcome {
        let within = |other: &&PhaseLine| {
            let rest = other.name.strip_prefix(line.name.as_ref());
            rest.is_some_and(|rest| rest.starts_with('/'))
        };
        let parts = self.has_parts.then(|| self.phases.iter().filter(within)).into_iter().flatten();
        let members = [line].into_iter().chain(parts).flat_map(|line| &line.members);
        let outcomes =
            members.map(|number| self.members[*number].over.as_ref().map_or(UNKNOWN, |(_, end)| end));
        let none = if line.began.is_some() { &Outcome::Completed } else { UNKNOWN };
        Outcome::worst(outcomes).unwrap_or(none).clone()
    }

    /// From the phase that ended last back over those that it waited for longest. For each phase, whether it is on it.
    fn critical_path(&self) -> Vec<bool> {
        let roots = (0..self.phases.len()).filter(|number| !self.phases[*number].in_part);
        let mut path = vec![false; self.phases.len()];
        let mut next =
            roots.filter(|number| self.phases[*number].ended.is_some()).max_by_key(|n| self.phases[*n].ended);
        while let Some(this) = next {
            path[this] = true;
            next = self.phases[this].after.iter().copied().max_by_key(|number| self.phases[*number].ended);
        }
        path
    }
}

impl MemberLine {
    fn report(&self, began: Instant, now: Instant) -> MemberReport {
        let (over, outcome) = match &self.over {
            Some((over, outcome)) => (*over, outcome.clone()),
            None => (now, Outcome::Unknown),
        };
        MemberReport {
            name: self.spec.name,
            kind: self.spec.kind,
            outcome,
            told: self.told.map(|told| told.saturating_duration_since(began)),
            duration: self.told.map_or(Duration::ZERO, |told| over.saturating_duration_since(told)),
            budget: self.budget,
            limit: self.limit,
            holders: self.holders.clone(),
            units_over_limit: self.units.as_ref().map_or(0, |units| units.over_limit()),
            counters: self.counters.as_ref().map_or_else(Vec::new, |counters| counters.read()),
        }
    }
}
