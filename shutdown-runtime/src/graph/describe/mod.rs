//! The texts of the graph's errors, composed while a constant is evaluated.
//!
//! Each begins with the rule's id, names the user's own items, and ends with what to write instead.

mod budget;

pub(crate) use budget::{over_budget, part_over_budget, phase_under_member, unit_over_budget};

use crate::graph::solve::{Relation, Row};
use crate::graph::spec::{Direction, FieldSpec, MemberSpec, OrderSpec, PlanSpec, ResourceName, UseSpec};
use crate::graph::text::Text;

const fn name<const TEXT: usize>(text: &mut Text<TEXT>, name: &str) {
    text.push("`");
    text.push(name);
    text.push("`");
}

/// "`relay` (phase `workers`, 3rd to stop)", or "`relay` (part `Web` in phase `web`, 3rd to stop)".
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

/// How to make `late` stop after `early`, two rows that stand to each other as `relation` says.
const fn help_to_order<const TEXT: usize>(text: &mut Text<TEXT>, plan: &PlanSpec, early: &Row, late: &Row) {
    let (early_field, late_field) = (field(plan, early), field(plan, late));
    text.push("\nhelp: ");
    if early.field == late.field {
        text.push("move ");
        name(text, late.member.name);
        text.push(" out of ");
        name(text, late_field.name);
        text.push(" into a field of its own below it");
    } else if late_field.declared {
        text.push("write ");
        name(text, early_field.name);
        text.push(" into the `#[shutdown_order(after = [...])]` of the field ");
        name(text, late_field.name);
    } else if early_field.declared {
        text.push("take the `#[shutdown_order]` off the field ");
        name(text, early_field.name);
        text.push(", and let it stand above ");
        name(text, late_field.name);
    } else {
        text.push("move the field ");
        name(text, late_field.name);
        text.push(" below ");
        name(text, early_field.name);
    }
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
    help_to_order(text, plan, user, resource);
}

pub(crate) const fn never_closed<const TEXT: usize>(
    text: &mut Text<TEXT>,
    plan: &PlanSpec,
    user: &Row,
    how: &UseSpec,
    resource: &ResourceName,
) {
    text.push("[never-closed] nothing in ");
    name(text, plan.name);
    text.push(" closes ");
    name(text, resource.name);
    text.push("\n");
    member_in_phase(text, plan, user);
    text.push(" ");
    text.push(how.how);
    text.push("\nhelp: add a field of type `Resource<");
    text.push(resource.name);
    text.push(">` below ");
    name(text, field(plan, user).name);
}

pub(crate) const fn closed_twice<const TEXT: usize>(
    text: &mut Text<TEXT>,
    plan: &PlanSpec,
    first: &Row,
    second: &Row,
) {
    text.push("[closed-twice] ");
    name(text, second.member.name);
    text.push(" is closed in two places\nfirst in phase ");
    name(text, field(plan, first).name);
    text.push(", then in phase ");
    name(text, field(plan, second).name);
    text.push("\nhelp: keep one of them; two instances are two types, or one `Vec<Resource<");
    text.push(second.member.name);
    text.push(">>`");
}

pub(crate) const fn order_violated<const TEXT: usize>(
    text: &mut Text<TEXT>,
    plan: &PlanSpec,
    (first, second): (&Row, &Row),
    declarer: &Row,
    order: &OrderSpec,
    relation: Relation,
) {
    text.push("[order-violated] ");
    name(text, second.member.name);
    text.push(" must stop after ");
    name(text, first.member.name);
    text.push(match relation {
        Relation::Together => ", and the plan stops both in one phase\n",
        Relation::After => ", and the plan stops it before\n",
        _ => ", and nothing orders their phases\n",
    });
    declaration(text, declarer, order);
    text.push("\n");
    member_in_phase(text, plan, first);
    text.push(", declared at ");
    declared_at(text, first.member);
    text.push("\n");
    member_in_phase(text, plan, second);
    text.push(", declared at ");
    declared_at(text, second.member);
    help_to_order(text, plan, first, second);
}

/// "`#[shutdown_order(after = http_api)]` on `mailer` (src/mail.rs:10) says so".
const fn declaration<const TEXT: usize>(text: &mut Text<TEXT>, declarer: &Row, order: &OrderSpec) {
    written_order(text, order);
    text.push(" on ");
    name(text, declarer.member.name);
    text.push(" says so");
}

const fn written_order<const TEXT: usize>(text: &mut Text<TEXT>, order: &OrderSpec) {
    text.push(match order.direction {
        Direction::After => "`#[shutdown_order(after = ",
        Direction::Before => "`#[shutdown_order(before = ",
    });
    text.push(order.name);
    text.push(")]`");
}

/// The path runs from the item that stops last to the one that stops first, against the order that closes it.
pub(crate) const fn order_cycle<const TEXT: usize>(
    text: &mut Text<TEXT>,
    rows: &[Row],
    path: &[u16],
    length: usize,
    first: &Row,
    order: &OrderSpec,
    declarer: &Row,
) {
    text.push("[order-cycle] the orders of the items form a cycle\n");
    let mut at = length;
    while at > 0 {
        at -= 1;
        name(text, rows[path[at] as usize].member.name);
        text.push(" -> ");
    }
    name(text, first.member.name);
    text.push(" -> ");
    name(text, rows[path[length - 1] as usize].member.name);
    text.push("  (each before the next)\n");
    written_order(text, order);
    text.push(" on ");
    name(text, declarer.member.name);
    text.push(", ");
    declared_at(text, declarer.member);
    let mut later = first;
    let mut at = 0;
    while at < length {
        let earlier = &rows[path[at] as usize];
        edge(text, earlier, later);
        later = earlier;
        at += 1;
    }
    text.push("\nhelp: take back one of these orders");
}

/// The order on either item that lets `earlier` stop before `later`.
const fn edge<const TEXT: usize>(text: &mut Text<TEXT>, earlier: &Row, later: &Row) {
    let mut at = 0;
    while at < later.member.orders.len() {
        let order = &later.member.orders[at];
        if matches!(order.direction, Direction::After) && order.other.is(earlier.member.identity) {
            edge_line(text, later, order);
            return;
        }
        at += 1;
    }
    let mut at = 0;
    while at < earlier.member.orders.len() {
        let order = &earlier.member.orders[at];
        if matches!(order.direction, Direction::Before) && order.other.is(later.member.identity) {
            edge_line(text, earlier, order);
            return;
        }
        at += 1;
    }
}

const fn edge_line<const TEXT: usize>(text: &mut Text<TEXT>, declarer: &Row, order: &OrderSpec) {
    text.push("\n");
    written_order(text, order);
    text.push(" on ");
    name(text, declarer.member.name);
    text.push(", ");
    declared_at(text, declarer.member);
}

pub(crate) const fn field_cycle<const TEXT: usize>(text: &mut Text<TEXT>, plan: &PlanSpec) {
    text.push("[order-cycle] the orders of the fields form a cycle\n");
    let mut at = 0;
    while at < plan.cycle.len() {
        name(text, plan.fields[plan.cycle[at] as usize].name);
        text.push(" -> ");
        at += 1;
    }
    name(text, plan.fields[plan.cycle[0] as usize].name);
    text.push("  (each after the next)");
    let mut at = 0;
    while at < plan.cycle.len() {
        let (this, next) = (plan.cycle[at] as usize, plan.cycle[(at + 1) % plan.cycle.len()] as usize);
        text.push("\n");
        name(text, plan.fields[this].name);
        text.push(" follows ");
        name(text, plan.fields[next].name);
        text.push(match (plan.fields[this].declared, plan.fields[next].declared) {
            // A field without an order follows every field above it, and no other.
            (false, _) if next < this => ": it stands below it",
            (false, _) => ": so says the order on the latter",
            (true, false) => ": so says the order on the former",
            (true, true) => ": so says the order on one of them",
        });
        at += 1;
    }
    text.push("\nhelp: take one of them out of its `#[shutdown_order]`");
}
