//! A plan's members, collected from its fields before the start.

use std::sync::Arc;

use crate::graph::{Kind, PlanSpec};
use crate::item::Phase;
use crate::resource::AnyResource;
use crate::task::{Call, TaskValue};

/// One member or part, as it was found in a field.
#[derive(Debug)]
pub(crate) enum Entry {
    Task(Call),
    Hook(Call),
    Resource(Arc<dyn AnyResource>),
    Part(Phases),
}

/// Collects the members of one phase.
#[derive(Debug, Default)]
pub struct PhaseBuilder {
    pub(crate) entries: Vec<Entry>,
}

impl PhaseBuilder {
    /// Adds a task or a hook, whichever its table says.
    pub fn task_or_hook(&mut self, value: TaskValue) {
        let call = value.into_call();
        self.entries.push(match call.spec.kind {
            Kind::Hook => Entry::Hook(call),
            Kind::Task | Kind::Resource => Entry::Task(call),
        });
    }

    pub(crate) fn resource(&mut self, resource: Arc<dyn AnyResource>) {
        self.entries.push(Entry::Resource(resource));
    }

    /// Adds a part, whose phases `collect` fills in.
    pub fn part(&mut self, spec: &'static PlanSpec, collect: impl FnOnce(&mut Phases)) {
        let mut phases = Phases::new(spec);
        collect(&mut phases);
        self.entries.push(Entry::Part(phases));
    }
}

/// Collects the phases of a plan or a part.
#[derive(Debug)]
pub struct Phases {
    pub(crate) spec: &'static PlanSpec,
    pub(crate) fields: Vec<PhaseBuilder>,
}

impl Phases {
    pub(crate) fn new(spec: &'static PlanSpec) -> Self {
        Self { spec, fields: spec.fields.iter().map(|_| PhaseBuilder::default()).collect() }
    }

    /// Adds what stands in the field of that number.
    pub fn field<P: Phase>(&mut self, index: usize, value: P) {
        if let Some(field) = self.fields.get_mut(index) {
            value.enlist(field);
        }
    }

    /// The resources alone, the last to stop first.
    pub(crate) fn into_resources(self) -> Vec<Arc<dyn AnyResource>> {
        let mut resources = Vec::new();
        for entry in self.fields.into_iter().rev().flat_map(|field| field.entries) {
            match entry {
                Entry::Resource(resource) => resources.push(resource),
                Entry::Part(phases) => resources.extend(phases.into_resources()),
                Entry::Task(_) | Entry::Hook(_) => {}
            }
        }
        resources
    }

    /// Every entry, parts included, from the top.
    pub(crate) fn entries(&self) -> Vec<&Entry> {
        let mut entries = Vec::new();
        for entry in self.fields.iter().flat_map(|field| &field.entries) {
            match entry {
                Entry::Part(phases) => entries.extend(phases.entries()),
                member => entries.push(member),
            }
        }
        entries
    }
}
