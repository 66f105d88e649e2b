//! Budgets: what a member may take, what a phase takes, and the longest path through the phases.

use super::behaviour::Behaviour;
use super::spec::{FieldSpec, MemberSpec, Node, PlanSpec};

/// What a member may take: what it wrote, else what its phase wrote, else the default of its kind.
pub(crate) const fn millis(member: &MemberSpec, phase: Option<u64>) -> u64 {
    match (member.budget, phase) {
        (Some(written), _) => written,
        (None, Some(phase)) => phase,
        (None, None) => member.default_budget(),
    }
}

/// What a phase takes: the largest of its members', of whom a hook at the drain is none.
pub(crate) const fn phase_budget(field: &FieldSpec) -> u64 {
    node_budget(&field.node, field.budget)
}

const fn node_budget(node: &Node, phase: Option<u64>) -> u64 {
    match node {
        Node::Empty | Node::Member(MemberSpec { behaviour: Behaviour { at_drain: true, .. }, .. }) => 0,
        Node::Member(member) => millis(member, phase),
        Node::Optional(inner) | Node::Many(inner) => node_budget(inner, phase),
        Node::Part(part) => needed(part),
        Node::All(nodes) => {
            let mut largest = 0;
            let mut at = 0;
            while at < nodes.len() {
                let budget = match (&nodes[at], phase) {
                    // Without a call, which costs `cargo check` more than all the rest here.
                    (Node::Member(MemberSpec { behaviour: Behaviour { at_drain: true, .. }, .. }), _) => 0,
                    (Node::Member(MemberSpec { budget: Some(written), .. }), _) => *written,
                    (Node::Member(MemberSpec { budget: None, .. }), Some(phase)) => phase,
                    (other, phase) => node_budget(other, phase),
                };
                if budget > largest {
                    largest = budget;
                }
                at += 1;
            }
            largest
        }
    }
}

/// Whether what a phase takes is nowhere written: the default of one of its members.
pub(crate) const fn is_default(field: &FieldSpec) -> bool {
    // With a phase budget of nothing, only what members wrote is left.
    field.budget.is_none() && node_budget(&field.node, Some(0)) < phase_budget(field)
}

/// The longest path through a plan's phases, without windows and margin.
pub(crate) const fn needed(plan: &PlanSpec) -> u64 {
    let mut longest = 0;
    let mut at = 0;
    while at < plan.path.len() {
        if plan.path[at] > longest {
            longest = plan.path[at];
        }
        at += 1;
    }
    longest
}

/// The hook of those that run at the drain, together, which may take longest there, and how long that is.
///
/// Those inside parts run there too: the drain is that of the whole plan.
pub(crate) const fn longest_at_drain(plan: &PlanSpec) -> Option<(&'static MemberSpec, u64)> {
    let mut longest = None;
    let mut at = 0;
    while at < plan.fields.len() {
        longest = longer_at_drain(&plan.fields[at].node, plan.fields[at].budget, longest);
        at += 1;
    }
    longest
}

const fn longer_at_drain(
    node: &Node,
    phase: Option<u64>,
    known: Option<(&'static MemberSpec, u64)>,
) -> Option<(&'static MemberSpec, u64)> {
    match node {
        Node::Member(member) if member.behaviour.at_drain => {
            let budget = millis(member, phase);
            match known {
                Some((_, longest)) if longest >= budget => known,
                _ => Some((member, budget)),
            }
        }
        Node::Empty | Node::Member(_) => known,
        Node::Optional(inner) | Node::Many(inner) => longer_at_drain(inner, phase, known),
        Node::Part(part) => match (longest_at_drain(part), known) {
            (Some((_, inside)), Some((_, longest))) if longest >= inside => known,
            (None, known) => known,
            (inside, _) => inside,
        },
        Node::All(nodes) => {
            let mut longest = known;
            let mut at = 0;
            while at < nodes.len() {
                // Hardly any member is such a hook, and a call costs more than the look.
                if !matches!(
                    nodes[at],
                    Node::Member(MemberSpec { behaviour: Behaviour { at_drain: false, .. }, .. })
                ) {
                    longest = longer_at_drain(&nodes[at], phase, longest);
                }
                at += 1;
            }
            longest
        }
    }
}

/// What the hooks at the drain take, in milliseconds: they run together, before the window.
pub(crate) const fn drain_hooks(plan: &PlanSpec) -> u64 {
    match longest_at_drain(plan) {
        Some((_, budget)) => budget,
        None => 0,
    }
}

/// What a whole plan needs of its budget: `pre_stop`, hooks at the drain, `lame_duck`, the longest path and `margin`.
pub(crate) const fn total(plan: &PlanSpec) -> u64 {
    needed(plan)
        .saturating_add(plan.pre_stop)
        .saturating_add(drain_hooks(plan))
        .saturating_add(plan.lame_duck)
        .saturating_add(plan.margin)
}

/// For each field the longest path from its beginning to the end of the plan, in milliseconds.
pub const fn longest_path_from<const FIELDS: usize>(fields: &[FieldSpec], order: &[u16]) -> [u64; FIELDS] {
    let mut path = [0u64; FIELDS];
    let mut left = order.len();
    while left > 0 {
        left -= 1;
        let this = order[left] as usize;
        let field = &fields[this];
        path[this] = path[this].saturating_add(phase_budget(field));
        let mut at = 0;
        while at < field.after.len() {
            let earlier = field.after[at] as usize;
            if path[this] > path[earlier] {
                path[earlier] = path[this];
            }
            at += 1;
        }
    }
    path
}
