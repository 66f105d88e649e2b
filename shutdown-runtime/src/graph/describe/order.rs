//! The texts about orders: of items, and of fields.

use super::{declared_at, member_in_phase, name};
use crate::graph::item_orders::Path;
use crate::graph::solve::{Relation, Row};
use crate::graph::spec::{Because, Direction, OrderSpec, PlanSpec, UseSpec};
use crate::graph::text::Text;

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
    let at_drain = second.member.behaviour.at_drain;
    text.push(match relation {
        Relation::Together if at_drain => ", and both run at the drain, together\n",
        Relation::After if at_drain => ", and `at = \"drain\"` runs it before every phase\n",
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
}

/// Where the item that an order wants to stop last uses the other one: no place in the plan can please both.
pub(crate) const fn help_to_use<const TEXT: usize>(
    text: &mut Text<TEXT>,
    resource: &Row,
    user: &Row,
    how: &UseSpec,
    order: &OrderSpec,
    declarer: &Row,
) {
    text.push("\nbut ");
    name(text, user.member.name);
    text.push(" ");
    text.push(how.how);
    text.push(", so ");
    name(text, resource.member.name);
    text.push(" must close after it\nhelp: take ");
    written_order(text, order);
    text.push(" off ");
    name(text, declarer.member.name);
    text.push(": no plan can obey it");
}

/// A hook at the drain runs before all that stops, wherever its field stands.
pub(crate) const fn help_at_drain<const TEXT: usize>(
    text: &mut Text<TEXT>,
    second: &Row,
    order: &OrderSpec,
    declarer: &Row,
) {
    text.push("\nhelp: take `at = \"drain\"` off ");
    name(text, second.member.name);
    text.push(", which then runs when its phase is reached,\nor take ");
    written_order(text, order);
    text.push(" off ");
    name(text, declarer.member.name);
}

/// "`#[shutdown_order(after = http_api)]` on `mailer` (src/mail.rs:10) says so".
const fn declaration<const TEXT: usize>(text: &mut Text<TEXT>, declarer: &Row, order: &OrderSpec) {
    written_order(text, order);
    text.push(" on ");
    name(text, declarer.member.name);
    text.push(if names_instance(order.name) { " says so, of every instance" } else { " says so" });
}

/// Whether an order names a generic item, with whatever arguments.
const fn names_instance(name: &str) -> bool {
    let bytes = name.as_bytes();
    !bytes.is_empty() && bytes[bytes.len() - 1] == b'>'
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
pub(crate) const fn order_cycle<const TEXT: usize, const MEMBERS: usize>(
    text: &mut Text<TEXT>,
    rows: &[Row],
    path: &Path<MEMBERS>,
    first: &Row,
    order: &OrderSpec,
    declarer: &Row,
) {
    if order.other.is(declarer.member.identity) {
        return self_order(text, order, declarer);
    }
    text.push("[order-cycle] the orders of the items form a cycle\n");
    let mut at = path.length;
    while at > 0 {
        at -= 1;
        name(text, rows[path.rows[at] as usize].member.name);
        text.push(" -> ");
    }
    name(text, first.member.name);
    text.push(" -> ");
    name(text, rows[path.rows[path.length - 1] as usize].member.name);
    text.push("  (each before the next)\n");
    written_order(text, order);
    text.push(" on ");
    name(text, declarer.member.name);
    text.push(", ");
    declared_at(text, declarer.member);
    edges(text, rows, path, first);
    text.push("\nhelp: take back one of these orders; the fields of this plan go against the first");
}

/// The item's own attribute says so already where the order names it without a path; only a plan sees through one.
const fn self_order<const TEXT: usize>(text: &mut Text<TEXT>, order: &OrderSpec, declarer: &Row) {
    text.push("[self-order] ");
    name(text, declarer.member.name);
    text.push(match order.direction {
        Direction::After => " cannot stop after itself\n",
        Direction::Before => " cannot stop before itself\n",
    });
    written_order(text, order);
    text.push(" on ");
    name(text, declarer.member.name);
    text.push(", ");
    declared_at(text, declarer.member);
    text.push("\nhelp: name another task, hook or resource, or remove the order");
}

/// A line for each order of a path that ends in `last`.
pub(super) const fn edges<const TEXT: usize, const MEMBERS: usize>(
    text: &mut Text<TEXT>,
    rows: &[Row],
    path: &Path<MEMBERS>,
    last: &Row,
) {
    let mut later = last;
    let mut at = 0;
    while at < path.length {
        let earlier = &rows[path.rows[at] as usize];
        edge(text, earlier, later);
        later = earlier;
        at += 1;
    }
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
    while at <= plan.cycle.len() {
        name(text, field_on_cycle(plan, at));
        text.push(if at < plan.cycle.len() { " -> " } else { "  (each after the next)" });
        at += 1;
    }
    let mut orders = 0;
    let mut at = 0;
    while at < plan.cycle.len() {
        let (this, next) = (field_on_cycle(plan, at), field_on_cycle(plan, at + 1));
        text.push("\n");
        name(text, this);
        text.push(" follows ");
        name(text, next);
        match plan.cycle[at].because {
            Because::Below => text.push(": it stands below it"),
            Because::After => field_order(text, "after", next, this),
            Because::Before => field_order(text, "before", this, next),
        }
        orders += !matches!(plan.cycle[at].because, Because::Below) as usize;
        at += 1;
    }
    text.push(if orders == 1 {
        "\nhelp: take that order back, or let the fields stand the other way round"
    } else {
        "\nhelp: take back one of these orders"
    });
}

/// ": `#[shutdown_order(after = [workers])]` on `ingress`".
const fn field_order<const TEXT: usize>(text: &mut Text<TEXT>, key: &str, named: &str, declarer: &str) {
    text.push(": `#[shutdown_order(");
    text.push(key);
    text.push(" = [");
    text.push(named);
    text.push("])]` on ");
    name(text, declarer);
}

const fn field_on_cycle(plan: &PlanSpec, at: usize) -> &'static str {
    plan.fields[plan.cycle[at % plan.cycle.len()].field as usize].name
}
