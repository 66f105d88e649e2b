//! Budgets: what a member may take, what a phase takes, and the longest path through the phases.

use super::spec::{FieldSpec, MemberSpec, Node, PlanSpec};

/// What a member may take: what it wrote, else what its phase wrote, else the default of its kind.
pub(crate) const fn millis(member: &MemberSpec, phase: Option<u64>) -> u64 {
    match (member.budget, phase) {
        (Some(written), _) => written,
        (None, Some(phase)) => phase,
        (None, None) => member.default_budget(),
    }
}

/// What a phase takes: the largest of its members'.
pub(crate) const fn phase_budget(field: &FieldSpec) -> u64 {
    node_budget(&field.node, field.budget)
}

const fn node_budget(node: &Node, phase: Option<u64>) -> u64 {
    match node {
        Node::Empty => 0,
        Node::Member(member) => millis(member, phase),
        Node::Optional(inner) | Node::Many(inner) => node_budget(inner, phase),
        Node::Part(part) => needed(part),
        Node::All(nodes) => {
            let mut largest = 0;
            let mut at = 0;
            while at < nodes.len() {
                let budget = match (&nodes[at], phase) {
                    // Without a call, which costs `cargo check` more than all the rest here.
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
