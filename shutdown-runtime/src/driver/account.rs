//! At the start every lease that was handed out must be some member's, or nothing would wait for it (`hidden-lease`).

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::error::StartError;
use crate::graph::{Held, Identity, MemberSpec, PlanSpec};
use crate::ledger::Reached;
use crate::phase::{Entry, Phases};
use crate::resource::AnyResource;

/// Refuses a plan whose leases are not accounted for, one that closes an instance before its user is over, and one that
/// forgot a resource which `main` made.
pub(crate) fn check(phases: &Phases, remembered: &[Arc<dyn AnyResource>]) -> Result<(), StartError> {
    let mut entries = Vec::new();
    place(phases, &[], &mut entries);
    let mut instances = HashMap::new();
    let mut covered = HashSet::new();
    for (way, entry) in &entries {
        match entry {
            Entry::Task(task) | Entry::Hook(task) => {
                if task.every.is_some_and(|every| every.is_zero()) {
                    return Err(StartError::ZeroInterval { task: task.spec.name });
                }
                covered.extend(declared(task.spec));
            }
            Entry::Resource(resource) => {
                instances.insert(resource.ledger().instance, way.as_slice());
                covered.extend(declared(resource.ledger().spec));
            }
            Entry::Part(_) => {}
        }
    }
    for (way, entry) in &entries {
        match entry {
            Entry::Task(task) | Entry::Hook(task) => closes_after(way, task.spec, &task.reached, &instances)?,
            Entry::Resource(resource) => {
                closes_after(way, resource.ledger().spec, resource.reached(), &instances)?;
                unaccounted(resource, &covered)?;
            }
            Entry::Part(_) => {}
        }
    }
    match remembered.iter().find(|resource| !instances.contains_key(&resource.ledger().instance)) {
        Some(forgotten) => Err(StartError::ResourceOutsidePlan {
            resource: forgotten.ledger().spec.name,
            place: forgotten.ledger().created,
        }),
        None => Ok(()),
    }
}

/// One step of the way from the plan down to a member: which field, and which of the entries in it.
#[derive(Clone, Copy)]
struct Step {
    spec: &'static PlanSpec,
    field: usize,
    entry: usize,
}

fn place<'a>(phases: &'a Phases, above: &[Step], entries: &mut Vec<(Vec<Step>, &'a Entry)>) {
    for (field, builder) in phases.fields.iter().enumerate() {
        for (number, entry) in builder.entries.iter().enumerate() {
            let mut way = above.to_vec();
            way.push(Step { spec: phases.spec, field, entry: number });
            match entry {
                Entry::Part(part) => place(part, &way, entries),
                member => entries.push((way, member)),
            }
        }
    }
}

/// Whether what stands at `user` is over before what stands at `resource` is told: the field they part at decides. The
/// compiler has judged types by the same tables; values tell which of several instances is meant.
fn is_over_before(user: &[Step], resource: &[Step]) -> bool {
    let parting = user
        .iter()
        .zip(resource)
        .find(|(user, resource)| (user.field, user.entry) != (resource.field, resource.entry));
    parting.is_some_and(|(user, resource)| {
        user.spec.fields[resource.field].follows.contains(resource.field, user.field)
    })
}

/// The resources that an item's `uses(...)` takes on.
fn declared(spec: &'static MemberSpec) -> impl Iterator<Item = Identity> {
    spec.uses.iter().filter(|each| each.declared).filter_map(|each| match each.held {
        Held::One(resource) => Some(resource.identity),
        Held::Nothing | Held::All(_) | Held::Inside(..) => None,
    })
}

/// A member's leases are of instances that this plan closes, and closes after it.
fn closes_after(
    way: &[Step],
    spec: &MemberSpec,
    reached: &[Reached],
    instances: &HashMap<u64, &[Step]>,
) -> Result<(), StartError> {
    for lease in reached {
        let (member, resource, place) = (spec.name, lease.name, lease.place);
        match instances.get(&lease.instance) {
            None => return Err(StartError::ForeignLease { member, resource, place }),
            // A hook at the drain is over before anything closes, wherever it stands.
            Some(home) if !spec.behaviour.at_drain && !is_over_before(way, home) => {
                return Err(StartError::ClosesTooEarly { member, resource, place });
            }
            Some(_) => {}
        }
    }
    Ok(())
}

fn unaccounted(resource: &Arc<dyn AnyResource>, covered: &HashSet<Identity>) -> Result<(), StartError> {
    let ledger = resource.ledger();
    if covered.contains(&ledger.spec.identity) {
        return Ok(());
    }
    match ledger.leases().iter().find(|note| !note.is_accounted()) {
        Some(note) => Err(StartError::UnaccountedLease { resource: ledger.spec.name, place: note.place }),
        None => Ok(()),
    }
}
