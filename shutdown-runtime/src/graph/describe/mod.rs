//! The texts of the graph's errors, composed while a constant is evaluated.
//!
//! Each begins with the rule's id, names the user's own items, and ends with what to write instead.

mod budget;
mod order;

pub(crate) use budget::{over_budget, part_over_budget, phase_under_member, unit_over_budget};
pub(crate) use order::{field_cycle, help_at_drain, help_to_use, order_cycle, order_violated};

use crate::graph::item_orders::{Path, Repair};
use crate::graph::solve::{Relation, Row};
use crate::graph::spec::{FieldSpec, MemberSpec, PlanSpec, ResourceName, UseSpec};
use crate::graph::text::Text;

const fn name<const TEXT: usize>(text: &mut Text<TEXT>, name: &str) {
    text.push("`");
    text.push(name);
    text.push("`");
}

/// "`relay` (phase `workers`, 3rd to stop)", "`relay` (part `Web` in phase `web`, 3rd to stop)", or of a hook at the drain
/// "`leave` (phase `cluster`, at the drain)".
const fn member_in_phase<const TEXT: usize>(text: &mut Text<TEXT>, plan: &PlanSpec, row: &Row) {
    name(text, row.member.name);
    text.push(" (");
    if row.part != 0 {
        text.push("part ");
        name(text, row.part_name);
        text.push(" in ");
    }
    text.push("phase ");
    name(text, field(plan, row).name);
    if row.member.behaviour.at_drain {
        text.push(", at the drain)");
        return;
    }
    text.push(", ");
    text.push_ordinal(field(plan, row).rank as u64);
    text.push(" to stop)");
}

const fn declared_at<const TEXT: usize>(text: &mut Text<TEXT>, member: &MemberSpec) {
    text.push(member.place.file);
    text.push(":");
    text.push_number(member.place.line as u64);
}

const fn field(plan: &PlanSpec, row: &Row) -> &'static FieldSpec {
    &plan.fields[row.field as usize]
}

/// How to make `late` stop after `early`.
pub(crate) const fn help_to_order<const TEXT: usize>(
    text: &mut Text<TEXT>,
    plan: &PlanSpec,
    (early, late): (&Row, &Row),
    repair: Repair,
) {
    text.push("\nhelp: ");
    to_order(text, plan, (early, late), repair);
}

const fn to_order<const TEXT: usize>(
    text: &mut Text<TEXT>,
    plan: &PlanSpec,
    (early, late): (&Row, &Row),
    repair: Repair,
) {
    let (early_field, late_field) = (field(plan, early), field(plan, late));
    match (repair, early_field.declared, late_field.declared) {
        (Repair::Apart, ..) => {
            move_out(text, late.member.name, if late.part == 0 { late_field.name } else { late.part_name });
            name(text, early_field.name);
            text.push(": what else is in ");
            name(text, late_field.name);
            text.push(" must stop before that");
        }
        (Repair::Mutual, ..) => {
            text.push("let ");
            name(text, early.member.name);
            text.push(" or ");
            name(text, late.member.name);
            text.push(" do without the other: they use each other, and neither can close after both");
        }
        (Repair::Of(Relation::Together | Relation::InsidePart), ..) => {
            // A member of a part moves with the part that it is in.
            let moved = if late.part == 0 { late.member.name } else { late.part_name };
            move_out(text, moved, late_field.name);
            name(text, late_field.name);
        }
        (Repair::Of(Relation::Parallel), _, true) => {
            text.push("write ");
            name(text, early_field.name);
            text.push(" into the `#[shutdown_order(after = [...])]` of the field ");
            name(text, late_field.name);
        }
        (Repair::Of(Relation::Parallel), _, false) | (_, false, false) => {
            text.push("move the field ");
            name(text, late_field.name);
            text.push(" below ");
            name(text, early_field.name);
        }
        (_, early_declared, late_declared) => {
            text.push("take the `#[shutdown_order]` off the field ");
            name(text, if early_declared { early_field.name } else { late_field.name });
            if early_declared && late_declared {
                text.push(" and off ");
                name(text, late_field.name);
            }
            text.push(", and let ");
            name(text, late_field.name);
            text.push(" stand below ");
            name(text, early_field.name);
        }
    }
}

const fn move_out<const TEXT: usize>(text: &mut Text<TEXT>, what: &str, from: &str) {
    text.push("move ");
    name(text, what);
    text.push(" out of ");
    name(text, from);
    text.push(" into a field of its own below ");
}

pub(crate) const fn close_before_wait<const TEXT: usize>(
    text: &mut Text<TEXT>,
    plan: &PlanSpec,
    user: &Row,
    how: &UseSpec,
    resource: &Row,
    relation: Relation,
) {
    text.push("[close-before-wait] ");
    name(text, resource.member.name);
    text.push(match relation {
        Relation::Together => " closes in the same phase as ",
        _ => " closes before ",
    });
    name(text, user.member.name);
    text.push(match relation {
        Relation::Together => ", which uses it",
        _ => " has been waited for",
    });
    text.push("\n");
    member_in_phase(text, plan, user);
    text.push(" ");
    text.push(how.how);
    text.push("\n");
    member_in_phase(text, plan, resource);
    text.push(match relation {
        Relation::After => " would already be closed",
        Relation::Together => " would be closing while it still runs",
        _ => " could be closed while it still runs: nothing orders the two phases",
    });
}

/// How to make a resource close after its user. Orders of the items that demand the contrary have to go first.
pub(crate) const fn help_to_close<const TEXT: usize, const MEMBERS: usize>(
    text: &mut Text<TEXT>,
    plan: &PlanSpec,
    rows: &[Row],
    demanded: &Path<MEMBERS>,
    (user, resource): (&Row, &Row),
    repair: Repair,
) {
    if demanded.length == 0 {
        help_to_order(text, plan, (user, resource), repair);
        return;
    }
    text.push("\nwhat demands that:");
    order::edges(text, rows, demanded, user);
    text.push(if demanded.length == 1 {
        "\nhelp: take that order back, and "
    } else {
        "\nhelp: take one of these orders back, and "
    });
    to_order(text, plan, (user, resource), repair);
}

pub(crate) const fn never_closed<const TEXT: usize>(
    text: &mut Text<TEXT>,
    plan: &PlanSpec,
    user: &Row,
    how: &UseSpec,
    resource: &ResourceName,
    namesake: Option<&Row>,
) {
    text.push("[never-closed] nothing in ");
    name(text, plan.name);
    text.push(" closes ");
    name(text, resource.name);
    text.push("\n");
    member_in_phase(text, plan, user);
    text.push(" ");
    text.push(how.how);
    if let Some(other) = namesake {
        text.push("\n");
        member_in_phase(text, plan, other);
        text.push(", declared at ");
        declared_at(text, other.member);
        text.push(", is another one; ");
        name(text, user.member.name);
        text.push(" is declared at ");
        declared_at(text, user.member);
    }
    text.push("\nhelp: add a field of type `Resource<");
    text.push(resource.name);
    text.push(">` below ");
    name(text, field(plan, user).name);
    if namesake.is_some() {
        text.push(", by the path of the one that ");
        name(text, user.member.name);
        text.push(" means");
    }
}

pub(crate) const fn closed_twice<const TEXT: usize>(
    text: &mut Text<TEXT>,
    plan: &PlanSpec,
    first: &Row,
    second: &Row,
) {
    text.push("[closed-twice] ");
    name(text, second.member.name);
    text.push(" is closed in two places\nfirst ");
    member_in_phase(text, plan, first);
    text.push(", then ");
    member_in_phase(text, plan, second);
    text.push("\nhelp: keep one of them; two instances are two types, or one `Vec<Resource<");
    text.push(second.member.name);
    text.push(">>`");
}
