//! A plan's members as they run: phases with their members, parts as branches.

use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinHandle;

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

impl Branch {
    /// Takes the hooks at the drain out of their phases, those in parts too.
    pub(crate) fn take_at_drain(&mut self) -> Vec<Member> {
        let mut hooks = Vec::new();
        for phase in &mut self.phases {
            // Phases without one, which are nearly all, keep their list as it is.
            if phase.members.iter().any(Member::is_at_drain) {
                let (at_drain, others) =
                    std::mem::take(&mut phase.members).into_iter().partition(Member::is_at_drain);
                hooks.extend::<Vec<_>>(at_drain);
                phase.members = others;
            }
            hooks.extend(phase.parts.iter_mut().flat_map(Self::take_at_drain));
        }
        hooks
    }
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

impl Member {
    /// A hook that runs when the drain begins, whatever phase it stands in.
    fn is_at_drain(&self) -> bool {
        self.spec.behaviour.at_drain
    }
}

/// What stopping a member means.
#[derive(Debug)]
pub(crate) enum Work {
    /// A task that has not been started yet.
    Waiting(Arc<MemberState>, Call),
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
            Self::Waiting(state, _) | Self::Task(state, _) | Self::Hook(state, _) => Some(state),
            Self::Unstarted | Self::Resource(_) => None,
        }
    }
}

/// The fields, each after all that it follows. Tables with a cycle never pass the compiler; by hand they may come here.
pub(crate) fn stop_order(spec: &PlanSpec) -> Vec<usize> {
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
}

/// Puts the members in their places.
pub(crate) fn build(phases: Phases, state: &Arc<PlanState>, board: &Arc<Board>) -> Branch {
    let tasks = phases.entries().iter().filter(|entry| matches!(entry, Entry::Task(_))).count();
    state.expect_tasks(tasks);
    Builder { state, board }.branch(phases, "")
}

impl Builder<'_> {
    fn branch(&self, phases: Phases, prefix: &str) -> Branch {
        let spec = phases.spec;
        let mut numbers: Vec<Option<PhaseNumber>> = vec![None; spec.fields.len()];
        // The board wants those that a phase waits for first.
        let order = stop_order(spec);
        for field in order.iter().copied() {
            let after: Vec<_> = spec.fields[field]
                .after
                .iter()
                .filter_map(|earlier| numbers[usize::from(*earlier)])
                .collect();
            let name = spec.fields[field].name;
            let name = if prefix.is_empty() { name.into() } else { format!("{prefix}{name}").into() };
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
                Entry::Task(task) => {
                    let told = phase.told.get_or_insert_default();
                    let state = MemberState::new(task.spec, told, self.state, Arc::clone(&task.ledger));
                    (task.spec, Work::Waiting(state, task))
                }
                Entry::Hook(hook) => (hook.spec, self.hook(phase.told.get_or_insert_default(), hook)),
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

    fn hook(&self, phase: &Arc<Notice>, hook: Call) -> Work {
        let signal = if hook.spec.behaviour.at_drain {
            // Its turn comes before its phase's.
            let own = Notice::default();
            own.give();
            Arc::new(own)
        } else {
            Arc::clone(phase)
        };
        Work::Hook(MemberState::new(hook.spec, &signal, self.state, Arc::clone(&hook.ledger)), hook)
    }
}
