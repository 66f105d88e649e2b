//! At the start every lease that was handed out must be some member's, or nothing would wait for it (`hidden-lease`).

use std::collections::HashSet;
use std::sync::Arc;

use crate::error::StartError;
use crate::graph::{Held, Identity, MemberSpec};
use crate::ledger::Reached;
use crate::phase::{Entry, Phases};
use crate::resource::AnyResource;

/// Refuses a plan whose leases are not accounted for, and one that forgot a resource which `main` made.
pub(crate) fn check(phases: &Phases, remembered: &[Arc<dyn AnyResource>]) -> Result<(), StartError> {
    let entries = phases.entries();
    let mut instances = HashSet::new();
    let mut covered = HashSet::new();
    for entry in &entries {
        match entry {
            Entry::Task(task) | Entry::Hook(task) => {
                if task.every.is_some_and(|every| every.is_zero()) {
                    return Err(StartError::ZeroInterval { task: task.spec.name });
                }
                covered.extend(declared(task.spec));
            }
            Entry::Resource(resource) => {
                instances.insert(resource.ledger().instance);
                covered.extend(declared(resource.ledger().spec));
            }
            Entry::Part(_) => {}
        }
    }
    for entry in &entries {
        match entry {
            Entry::Task(task) | Entry::Hook(task) => foreign(task.spec, &task.reached, &instances)?,
            Entry::Resource(resource) => {
                foreign(resource.ledger().spec, resource.reached(), &instances)?;
                unaccounted(resource, &covered)?;
            }
            Entry::Part(_) => {}
        }
    }
    match remembered.iter().find(|resource| !instances.contains(&resource.ledger().instance)) {
        Some(forgotten) => Err(StartError::ResourceOutsidePlan {
            resource: forgotten.ledger().spec.name,
            place: forgotten.ledger().created,
        }),
        None => Ok(()),
    }
}

/// The resources that an item's `uses(...)` takes on.
fn declared(spec: &'static MemberSpec) -> impl Iterator<Item = Identity> {
    spec.uses.iter().filter(|each| each.declared).filter_map(|each| match each.held {
        Held::One(resource) => Some(resource.identity),
        Held::Nothing | Held::All(_) | Held::Inside(..) => None,
    })
}

/// A member's leases are of instances that this plan closes.
fn foreign(spec: &MemberSpec, reached: &[Reached], instances: &HashSet<u64>) -> Result<(), StartError> {
    match reached.iter().find(|reached| !instances.contains(&reached.instance)) {
        Some(lease) => {
            Err(StartError::ForeignLease { member: spec.name, resource: lease.name, place: lease.place })
        }
        None => Ok(()),
    }
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
