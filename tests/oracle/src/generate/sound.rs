//! Sound programs: every use, order and budget fits the places.

use fastrand::Rng;

use super::skeleton::skeleton;
use super::{chance, millis};
use crate::model::{Kind, Plan, Program, Side, Total, Use};
use crate::oracle::{drain, needed, precedes};

pub(super) fn program(random: &mut Rng, members: usize) -> Program {
    let mut program = skeleton(random, members, 4, false);
    let precedes = precedes(&program);
    uses(random, &mut program, &precedes);
    orders(random, &mut program, &precedes);
    budgets(random, &mut program);
    program
}

/// The items that a plan holds, those of its parts included.
fn held(program: &Program, plan: usize) -> Vec<usize> {
    let of = program.plans[plan].fields.iter().flat_map(|field| {
        let inside = field.node.parts().into_iter().flat_map(|part| held(program, part));
        field.node.items().into_iter().chain(inside)
    });
    of.collect()
}

fn uses(random: &mut Rng, program: &mut Program, precedes: &[Vec<bool>]) {
    let root = held(program, program.root());
    let resources: Vec<usize> =
        (0..program.items.len()).filter(|item| program.items[*item].kind == Kind::Resource).collect();
    for (item, precedes) in precedes.iter().enumerate() {
        let closes = |resource: &usize| {
            *resource != item && precedes[*resource] && (root.contains(resource) || !root.contains(&item))
        };
        let closed_later: Vec<usize> = resources.iter().copied().filter(closes).collect();
        let count = random.choice([0, 0, 1, 1, 2, 3]).unwrap_or_default();
        for resource in random.choose_multiple(closed_later.iter().copied(), count) {
            let other = random.choice(&closed_later).copied().unwrap_or(resource);
            let of_resource = program.items[item].kind == Kind::Resource;
            program.items[item].uses.push(form(random, resource, other, of_resource));
        }
    }
}

/// One of the ways to use a resource.
pub(super) fn form(random: &mut Rng, resource: usize, other: usize, of_resource: bool) -> Use {
    match random.u8(0..10) {
        0..4 if !of_resource => Use::Lent(resource),
        0..6 => Use::Leased(resource),
        6 => Use::Maybe(resource),
        7 => Use::Both(resource, other),
        _ => Use::Declared(resource),
    }
}

fn orders(random: &mut Rng, program: &mut Program, precedes: &[Vec<bool>]) {
    for (item, declarer) in program.items.iter_mut().enumerate() {
        if !chance(random, 25) {
            continue;
        }
        for other in random.choose_multiple(0..precedes.len(), 2) {
            let side = match (precedes[other][item] && !declarer.at_drain, precedes[item][other]) {
                (true, _) => Side::After,
                (false, true) => Side::Before,
                (false, false) => continue,
            };
            if other != item {
                declarer.orders.push((side, other));
            }
        }
    }
}

fn budgets(random: &mut Rng, program: &mut Program) {
    for item in &mut program.items {
        if chance(random, 40) {
            item.budget = Some(millis(random));
        }
    }
    let mut of_parts: Vec<u64> = Vec::new();
    for number in 0..program.plans.len() {
        let floors: Vec<u64> =
            program.plans[number].fields.iter().map(|field| floor(program, &field.node, &of_parts)).collect();
        for (field, floor) in program.plans[number].fields.iter_mut().zip(floors) {
            if chance(random, 25) {
                let exact = floor > 0 && chance(random, 35);
                field.budget = Some(if exact { floor } else { floor + millis(random) });
            }
        }
        of_parts.push(needed(program, number));
        let at_drain = drain(program, number);
        total(random, &mut program.plans[number], of_parts[number] + at_drain);
    }
}

/// The least that a phase may grant.
fn floor(program: &Program, node: &crate::model::Node, of_parts: &[u64]) -> u64 {
    let written = node.items().into_iter().filter_map(|item| program.items[item].budget).max();
    let parts = node.parts().into_iter().map(|part| of_parts[part]).max();
    written.max(parts).unwrap_or_default()
}

/// Grants a whole plan what it needs, or somewhat more.
pub(super) fn total(random: &mut Rng, plan: &mut Plan, needed: u64) {
    if plan.total.is_none() {
        return;
    }
    let mut sometimes = |percent: u8| if chance(random, percent) { millis(random) } else { 0 };
    let (pre_stop, lame_duck, margin) = (sometimes(40), sometimes(40), 2_000 + sometimes(20));
    let slack = random.choice([0, 0, 1, 1_000, 60_000]).unwrap_or_default();
    let budget = needed + pre_stop + lame_duck + margin + slack;
    plan.total = Some(Total { budget, pre_stop, lame_duck, margin });
}
