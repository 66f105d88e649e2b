//! The texts about time: budgets, and the longest path with its numbers.

use super::{declared_at, field, name};
use crate::graph::solve::Row;
use crate::graph::spec::{MemberSpec, PlanSpec};
use crate::graph::text::Text;
use crate::graph::time;
use crate::graph::unit::Unit;

pub(crate) const fn phase_under_member<const TEXT: usize>(
    text: &mut Text<TEXT>,
    plan: &PlanSpec,
    field: u16,
    member: &MemberSpec,
    written: u64,
    granted: u64,
) {
    text.push("[phase-under-member] the phase ");
    name(text, plan.fields[field as usize].name);
    text.push(" grants ");
    text.push_duration(granted);
    text.push(", and ");
    name(text, member.name);
    text.push(" in it needs ");
    text.push_duration(written);
    text.push("\nhelp: write `#[phase(budget = \"");
    text.push_duration(written);
    text.push("\")]` here, or a smaller budget on ");
    name(text, member.name);
    text.push(", declared at ");
    declared_at(text, member);
}

pub(crate) const fn unit_over_budget<const TEXT: usize>(
    text: &mut Text<TEXT>,
    plan: &PlanSpec,
    row: &Row,
    unit: Unit,
    granted: u64,
) {
    text.push(match unit {
        Unit::Whole(_) => "[unit-over-budget] one unit of ",
        Unit::Batch { .. } => "[unit-over-budget] one batch of ",
    });
    name(text, row.member.name);
    text.push(" may take ");
    if let Unit::Batch { items, per_item } = unit {
        text.push_number(items as u64);
        text.push(" x ");
        text.push_duration(per_item);
        text.push(" = ");
    }
    text.push_duration(unit.millis());
    let drain = match row.member.behaviour.drain() {
        Some(drain) => drain,
        None => unit.millis(),
    };
    if row.member.behaviour.last {
        text.push(", the last one as long again");
    }
    let phase_grants = row.member.budget.is_none() && field(plan, row).budget.is_some();
    if phase_grants {
        text.push(", and the phase ");
        name(text, field(plan, row).name);
        text.push(" grants it ");
    } else {
        text.push(match row.member.budget {
            Some(_) => ", and its budget is ",
            None => ", and without a written budget it gets ",
        });
    }
    text.push_duration(granted);
    text.push(match unit {
        Unit::Whole(_) => "\nhelp: write a smaller `unit`",
        Unit::Batch { .. } => "\nhelp: write a smaller `batch`",
    });
    if !phase_grants {
        text.push(", or `budget = \"");
        text.push_duration(drain);
        text.push("\"`,");
    }
    text.push(" on ");
    name(text, row.member.name);
    text.push(", declared at ");
    declared_at(text, row.member);
    if phase_grants {
        text.push(", or `#[phase(budget = \"");
        text.push_duration(drain);
        text.push("\")]` here");
    }
}

pub(crate) const fn part_over_budget<const TEXT: usize>(
    text: &mut Text<TEXT>,
    plan: &PlanSpec,
    field: u16,
    part: &PlanSpec,
    granted: u64,
) {
    text.push("[part-over-budget] the part ");
    name(text, part.name);
    text.push(" needs ");
    text.push_duration(time::needed(part));
    text.push(", and the phase ");
    name(text, plan.fields[field as usize].name);
    text.push(" grants ");
    text.push_duration(granted);
    text.push("\n");
    longest_path(text, part);
    text.push("\nhelp: write `#[phase(budget = \"");
    text.push_duration(time::needed(part));
    text.push("\")]` here, or smaller budgets inside the part");
}

/// "ingress 25s + workers 10s".
const fn longest_path<const TEXT: usize>(text: &mut Text<TEXT>, plan: &PlanSpec) {
    let mut left = time::needed(plan);
    let mut at = first_on_path(plan, left);
    let mut begun = false;
    while at < plan.fields.len() {
        let budget = time::phase_budget(&plan.fields[at]);
        if budget > 0 {
            if begun {
                text.push(" + ");
            }
            text.push(plan.fields[at].name);
            text.push(" ");
            text.push_duration(budget);
            text.push(if time::is_default(&plan.fields[at]) { " by default" } else { "" });
            begun = true;
        }
        left = left.saturating_sub(budget);
        at = if left == 0 { plan.fields.len() } else { next_on_path(plan, at, left) };
    }
}

const fn first_on_path(plan: &PlanSpec, left: u64) -> usize {
    let mut at = 0;
    while at < plan.fields.len() && plan.path[at] != left {
        at += 1;
    }
    at
}

const fn next_on_path(plan: &PlanSpec, this: usize, left: u64) -> usize {
    let mut at = 0;
    while at < plan.fields.len() {
        if plan.path[at] == left && plan.fields[at].follows.contains(at, this) {
            return at;
        }
        at += 1;
    }
    at
}

pub(crate) const fn over_budget<const TEXT: usize>(text: &mut Text<TEXT>, plan: &PlanSpec, total: u64) {
    text.push("[over-budget] ");
    name(text, plan.name);
    text.push(" may need ");
    text.push_duration(total);
    text.push(" of the ");
    text.push_duration(plan.budget);
    text.push(" that its platform grants\n");
    if plan.pre_stop > 0 {
        text.push("pre_stop ");
        text.push_duration(plan.pre_stop);
        text.push(" + ");
    }
    if let Some((hook, budget)) = time::longest_at_drain(plan) {
        text.push(hook.name);
        text.push(" at the drain ");
        text.push_duration(budget);
        text.push(if hook.budget.is_none() && budget == hook.default_budget() {
            " by default + "
        } else {
            " + "
        });
    }
    if plan.lame_duck > 0 {
        text.push("lame_duck ");
        text.push_duration(plan.lame_duck);
        text.push(" + ");
    }
    // Nothing may be left to stop where fields are compiled out, or stand in a part on a cycle.
    if time::needed(plan) > 0 {
        longest_path(text, plan);
        text.push(" + ");
    }
    text.push("margin ");
    text.push_duration(plan.margin);
    text.push(" = ");
    text.push_duration(total);
    text.push("\nhelp: ");
    text.push_duration(total - plan.budget);
    text.push(" must go: write smaller budgets (`budget` on a task, hook or resource, `#[phase(budget)]` on a field)");
    if plan.fields.len() > 1 {
        text.push(",\nor let phases that do not need each other stop together, as one field with a tuple");
    }
}
