//! Small changes to a sound program, most of which break one rule.

use fastrand::Rng;

use super::skeleton::order_field;
use super::wild::{order, order_any, use_any};
use super::{chance, millis};
use crate::model::{Field, Item, Kind, Node, Program, Side};
use crate::oracle::{drain, needed};

/// The most members of a plan after a change.
const MEMBERS: usize = 90;

type Change = fn(&mut Rng, &mut Program) -> bool;

const CHANGES: &[Change] = &[
    swap_fields,
    add_use,
    take_out,
    put_in_again,
    add_order,
    turn_order,
    turn_hook,
    contradict_order,
    grant_less,
    shorten_phase,
    raise_budget,
    reorder_field,
    knot_fields,
    release_field,
    merge_fields,
    repeat_part,
    wrap,
];

/// Changes one thing, now and then a few.
pub(super) fn mutate(random: &mut Rng, program: &mut Program) {
    let mut changes = if chance(random, 80) { 1 } else { random.usize(2..=4) };
    let mut attempts = 0;
    while changes > 0 && attempts < 100 {
        attempts += 1;
        let change = CHANGES[random.usize(0..CHANGES.len())];
        let mut other = program.clone();
        let done = change(random, &mut other);
        if done && (0..other.plans.len()).all(|plan| other.members(plan) <= MEMBERS) {
            *program = other;
            changes -= 1;
        }
    }
}

fn any_item(random: &mut Rng, program: &Program) -> usize {
    random.usize(0..program.items.len())
}

fn any_plan(random: &mut Rng, program: &Program) -> usize {
    if random.bool() { program.root() } else { random.usize(0..program.plans.len()) }
}

fn any_field<'a>(random: &mut Rng, program: &'a mut Program) -> &'a mut Field {
    let plan = any_plan(random, program);
    let fields = &mut program.plans[plan].fields;
    let number = random.usize(0..fields.len());
    &mut fields[number]
}

/// Two different fields of one plan.
fn two_fields(random: &mut Rng, program: &Program) -> Option<(usize, usize, usize)> {
    let plan = any_plan(random, program);
    let fields = random.choose_multiple(0..program.plans[plan].fields.len(), 2);
    let [one, other] = fields.as_slice() else { return None };
    Some((plan, *one, *other))
}

fn swap_fields(random: &mut Rng, program: &mut Program) -> bool {
    let Some((plan, one, other)) = two_fields(random, program) else { return false };
    let fields = &mut program.plans[plan].fields;
    let (first, second) = (fields[one].clone(), fields[other].clone());
    (fields[one].node, fields[one].budget) = (second.node, second.budget);
    (fields[other].node, fields[other].budget) = (first.node, first.budget);
    true
}

fn add_use(random: &mut Rng, program: &mut Program) -> bool {
    let item = any_item(random, program);
    use_any(random, program, item)
}

/// The places of single items.
fn leaves<'a>(node: &'a mut Node, leaves: &mut Vec<&'a mut Node>) {
    match node {
        Node::Nothing | Node::Part(_) => {}
        Node::Item(_) => leaves.push(node),
        Node::Tuple(nodes) => nodes.iter_mut().for_each(|node| self::leaves(node, leaves)),
        Node::Optional(inner) | Node::Many(inner) => self::leaves(inner, leaves),
    }
}

fn any_leaf<'a>(
    random: &mut Rng,
    program: &'a mut Program,
    wanted: impl Fn(usize) -> bool,
) -> Option<&'a mut Node> {
    let plan = any_plan(random, program);
    let mut found = Vec::new();
    program.plans[plan].fields.iter_mut().for_each(|field| leaves(&mut field.node, &mut found));
    found.retain(|leaf| matches!(leaf, Node::Item(item) if wanted(*item)));
    random.choice(found)
}

/// A resource's place goes to a task that nobody knows.
fn take_out(random: &mut Rng, program: &mut Program) -> bool {
    let kinds: Vec<Kind> = program.items.iter().map(|item| item.kind).collect();
    let stranger = program.items.len();
    let Some(leaf) = any_leaf(random, program, |item| kinds[item] == Kind::Resource) else { return false };
    *leaf = Node::Item(stranger);
    program.items.push(Item::new(Kind::Task));
    true
}

/// An item stands in one more place.
fn put_in_again(random: &mut Rng, program: &mut Program) -> bool {
    let item = any_item(random, program);
    let Some(leaf) = any_leaf(random, program, |_| true) else { return false };
    *leaf = Node::Tuple(vec![leaf.clone(), Node::Item(item)]);
    true
}

fn add_order(random: &mut Rng, program: &mut Program) -> bool {
    let item = any_item(random, program);
    order_any(random, program, item)
}

fn any_order(random: &mut Rng, program: &Program) -> Option<(usize, usize)> {
    let all = program.items.iter().enumerate();
    let all = all.flat_map(|(item, declared)| (0..declared.orders.len()).map(move |at| (item, at)));
    random.choice(all.collect::<Vec<_>>())
}

fn opposite(side: Side) -> Side {
    match side {
        Side::After => Side::Before,
        Side::Before => Side::After,
    }
}

fn turn_order(random: &mut Rng, program: &mut Program) -> bool {
    let Some((item, at)) = any_order(random, program) else { return false };
    if program.items[item].at_drain {
        return false;
    }
    let (side, _) = &mut program.items[item].orders[at];
    *side = opposite(*side);
    true
}

/// A hook runs at the drain instead, or in its phase.
fn turn_hook(random: &mut Rng, program: &mut Program) -> bool {
    let hooks = program
        .items
        .iter_mut()
        .filter(|item| item.kind == Kind::Hook && !item.orders.iter().any(|(side, _)| *side == Side::After));
    let Some(hook) = random.choice(hooks.collect::<Vec<_>>()) else { return false };
    hook.at_drain = !hook.at_drain;
    true
}

/// The other item demands the reverse, by itself or through a third.
fn contradict_order(random: &mut Rng, program: &mut Program) -> bool {
    let Some((item, at)) = any_order(random, program) else { return false };
    let (side, other) = program.items[item].orders[at];
    if random.bool() {
        return order(program, other, side, item);
    }
    let third = any_item(random, program);
    third != item && order(program, third, side, item) && order(program, other, side, third)
}

fn grant_less(random: &mut Rng, program: &mut Program) -> bool {
    let root = program.root();
    let needed = needed(program, root) + drain(program, root);
    let Some(total) = &mut program.plans[root].total else { return false };
    let less = random.choice([1, 1, 1_000]).unwrap_or(1);
    total.budget = (needed + total.pre_stop + total.lame_duck + total.margin).saturating_sub(less);
    total.budget > 0
}

fn shorten_phase(random: &mut Rng, program: &mut Program) -> bool {
    let plan = any_plan(random, program);
    let number = random.usize(0..program.plans[plan].fields.len());
    let node = &program.plans[plan].fields[number].node;
    let written = node.items().into_iter().filter_map(|item| program.items[item].budget);
    let parts = node.parts().into_iter().map(|part| needed(program, part));
    let Some(limit) = random.choice(written.chain(parts).collect::<Vec<_>>()) else { return false };
    if limit < 2 {
        return false;
    }
    program.plans[plan].fields[number].budget = Some(limit - random.choice([1, 1, limit / 2]).unwrap_or(1));
    true
}

fn raise_budget(random: &mut Rng, program: &mut Program) -> bool {
    let item = any_item(random, program);
    program.items[item].budget = Some(program.items[item].budget.unwrap_or_default() + millis(random));
    true
}

fn reorder_field(random: &mut Rng, program: &mut Program) -> bool {
    let plan = any_plan(random, program);
    let fields = &mut program.plans[plan].fields;
    let number = random.usize(0..fields.len());
    order_field(random, fields, number);
    true
}

/// An upper field follows a lower one, which mostly follows it.
fn knot_fields(random: &mut Rng, program: &mut Program) -> bool {
    let Some((plan, one, other)) = two_fields(random, program) else { return false };
    let (upper, lower) = (one.min(other), one.max(other));
    let fields = &mut program.plans[plan].fields;
    fields[upper].after.get_or_insert_default().push(lower);
    fields[upper].before.retain(|before| *before != lower);
    true
}

fn release_field(random: &mut Rng, program: &mut Program) -> bool {
    let field = any_field(random, program);
    let declared = field.after.is_some() || !field.before.is_empty();
    field.after = None;
    field.before.clear();
    declared
}

/// What stood in a field of its own now stops together with another.
fn merge_fields(random: &mut Rng, program: &mut Program) -> bool {
    let Some((plan, one, other)) = two_fields(random, program) else { return false };
    let fields = &mut program.plans[plan].fields;
    if matches!(fields[one].node, Node::Nothing) || matches!(fields[other].node, Node::Nothing) {
        return false;
    }
    let moved = std::mem::replace(&mut fields[other].node, Node::Nothing);
    fields[one].node = Node::Tuple(vec![fields[one].node.clone(), moved]);
    true
}

fn repeat_part(random: &mut Rng, program: &mut Program) -> bool {
    if program.root() == 0 {
        return false;
    }
    let part = random.usize(0..program.root());
    let plan = random.usize(part + 1..program.plans.len());
    let fields = &mut program.plans[plan].fields;
    let number = random.usize(0..fields.len());
    let node = &mut fields[number].node;
    *node = match node.clone() {
        Node::Nothing => Node::Part(part),
        beside => Node::Tuple(vec![beside, Node::Part(part)]),
    };
    true
}

fn wrap(random: &mut Rng, program: &mut Program) -> bool {
    let Some(leaf) = any_leaf(random, program, |_| true) else { return false };
    let inner = Box::new(leaf.clone());
    *leaf = if random.bool() { Node::Optional(inner) } else { Node::Many(inner) };
    true
}
