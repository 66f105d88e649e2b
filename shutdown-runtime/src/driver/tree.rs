//! A plan's members as they run: phases with their members, parts as branches.

use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::task::JoinHandle;

use super::launch::{self, Alive};
use crate::board::{Board, MemberNumber, PhaseNumber};
use crate::graph::{MemberSpec, PlanSpec, millis, phase_budget};
use crate::member::{MemberState, PlanState};
use crate::notice::Notice;
use crate::phase::{Entry, Phases};
use crate::resource::AnyResource;
use crate::task::Call;

/// A plan or a part.
#[derive(Debug)]
pub(crate) struct Branch {
    pub(crate) spec: &'static PlanSpec,
    pub(crate) phases: Vec<RunningPhase>,
}

/// A phase with what stands in it.
#[derive(Debug)]
pub(crate) struct RunningPhase {
    pub(crate) number: PhaseNumber,
    pub(crate) name: &'static str,
    /// None where nobody stands who could wait for it.
    pub(crate) told: Option<Arc<Notice>>,
    pub(crate) members: Vec<Member>,
    pub(crate) parts: Vec<Branch>,
}

/// A member with what is needed to stop it.
#[derive(Debug)]
pub(crate) struct Member {
    pub(crate) number: MemberNumber,
    pub(crate) spec: &'static MemberSpec,
    pub(crate) budget: Duration,
    pub(crate) work: Work,
}

/// What stopping a member means.
#[derive(Debug)]
pub(crate) enum Work {
    /// Wait for it.
    Task(Arc<MemberState>, JoinHandle<()>),
    /// Nothing: the stop came before it was started.
    Unstarted,
    /// Run it.
    Hook(Arc<MemberState>, Call),
    /// Close it.
    Resource(Arc<dyn AnyResource>),
}

impl Work {
    /// What runs, or will.
    fn state(&self) -> Option<&Arc<MemberState>> {
        match self {
            Self::Task(state, _) | Self::Hook(state, _) => Some(state),
            Self::Unstarted | Self::Resource(_) => None,
        }
    }
}

/// The fields, each after all that it follows. Tables with a cycle never pass the compiler; by hand they may come here.
fn stop_order(spec: &PlanSpec) -> Vec<usize> {
    if spec.order.len() == spec.fields.len() {
        spec.order.iter().map(|field| usize::from(*field)).collect()
    } else {
        (0..spec.fields.len()).collect()
    }
}

/// What building a tree needs.
struct Builder<'a> {
    state: &'a Arc<PlanState>,
    board: &'a Arc<Board>,
    runtime: &'a Handle,
}

/// Puts the members in their places and starts the tasks, bottom to top.
pub(crate) fn build(phases: Phases, state: &Arc<PlanState>, board: &Arc<Board>, runtime: &Handle) -> Branch {
    let tasks = phases.entries().iter().filter(|entry| matches!(entry, Entry::Task(_))).count();
    state.expect_tasks(tasks);
    Builder { state, board, runtime }.branch(phases, "")
}

impl Builder<'_> {
    fn branch(&self, phases: Phases, prefix: &str) -> Branch {
        let spec = phases.spec;
        let mut numbers: Vec<Option<PhaseNumber>> = vec![None; spec.fields.len()];
        // Phases are numbered before their members start, since the board wants those it waits for first.
        let order = stop_order(spec);
        for field in order.iter().copied() {
            let after: Vec<_> = spec.fields[field]
                .after
                .iter()
                .filter_map(|earlier| numbers[usize::from(*earlier)])
                .collect();
            let name = format!("{prefix}{}", spec.fields[field].name);
            let budget = Duration::from_millis(phase_budget(&spec.fields[field]));
            numbers[field] = Some(self.board.add_phase(name, budget, &after, spec.part));
        }
        let mut fields: Vec<_> = phases.fields.into_iter().map(|field| Some(field.entries)).collect();
        let mut running: Vec<Option<RunningPhase>> = (0..fields.len()).map(|_| None).collect();
        for field in order.into_iter().rev() {
            if let (Some(entries), Some(number)) = (fields[field].take(), numbers[field]) {
                running[field] = Some(self.phase(spec, field, number, entries, prefix));
            }
        }
        Branch { spec, phases: running.into_iter().flatten().collect() }
    }

    fn phase(
        &self,
        spec: &'static PlanSpec,
        field: usize,
        number: PhaseNumber,
        entries: Vec<Entry>,
        prefix: &str,
    ) -> RunningPhase {
        let (name, phase_budget) = (spec.fields[field].name, spec.fields[field].budget);
        let mut phase = RunningPhase { number, name, told: None, members: Vec::new(), parts: Vec::new() };
        for entry in entries {
            let (spec, work) = match entry {
                Entry::Part(part) => {
                    phase.parts.push(self.branch(part, &format!("{prefix}{name}/")));
                    continue;
                }
                Entry::Task(task) => (task.spec, self.task(phase.told.get_or_insert_default(), task)),
                Entry::Hook(hook) => {
                    let told = phase.told.get_or_insert_default();
                    let state = MemberState::new(hook.spec, told, self.state, Arc::clone(&hook.ledger));
                    (hook.spec, Work::Hook(state, hook))
                }
                Entry::Resource(resource) => (resource.ledger().spec, Work::Resource(resource)),
            };
            let budget = Duration::from_millis(millis(spec, phase_budget));
            let units = work.state().and_then(|state| state.units.clone());
            let counters = work.state().map(|state| Arc::clone(&state.counters));
            let number = self.board.add_member(number, spec, budget, units, counters);
            phase.members.push(Member { number, spec, budget, work });
        }
        phase
    }

    fn task(&self, told: &Arc<Notice>, task: Call) -> Work {
        // A member that failed while others start has begun the stop: the rest is not started any more.
        if self.state.trigger.has_fired() {
            self.state.task_ended();
            return Work::Unstarted;
        }
        let state = MemberState::new(task.spec, told, self.state, Arc::clone(&task.ledger));
        let handle = self.runtime.spawn(launch::run(Arc::clone(&state), task, Alive::new(self.state)));
        Work::Task(state, handle)
    }
}
