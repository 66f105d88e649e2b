//! Programs in which anything goes that the macros let through.

use fastrand::Rng;

use super::skeleton::skeleton;
use super::sound::{form, total};
use super::{chance, millis};
use crate::model::{Kind, Program, Side};
use crate::oracle::{drain, needed};

pub(super) fn program(random: &mut Rng, members: usize) -> Program {
    let repeats = random.choice([0, 20, 60]).unwrap_or_default();
    let mut program = skeleton(random, members, repeats, true);
    let (uses, orders) = (random.u8(0..60), random.u8(0..40));
    for item in 0..program.items.len() {
        while chance(random, uses) {
            use_any(random, &mut program, item);
        }
        while chance(random, orders) {
            order_any(random, &mut program, item);
        }
        if chance(random, 40) {
            program.items[item].budget = Some(millis(random));
        }
    }
    for number in 0..program.plans.len() {
        for field in &mut program.plans[number].fields {
            if chance(random, 20) {
                field.budget = Some(millis(random));
            }
        }
        let whole = needed(&program, number) + drain(&program, number);
        let guess = whole.saturating_add_signed(random.i64(-2_000..=2_000));
        total(random, &mut program.plans[number], guess);
    }
    program
}

/// Lets an item use any other resource; false where there is none.
pub(super) fn use_any(random: &mut Rng, program: &mut Program, item: usize) -> bool {
    let others = (0..program.items.len()).filter(|other| *other != item);
    let resources: Vec<usize> = others.filter(|other| program.items[*other].kind == Kind::Resource).collect();
    let (Some(resource), Some(other)) = (random.choice(&resources), random.choice(&resources)) else {
        return false;
    };
    let of_resource = program.items[item].kind == Kind::Resource;
    program.items[item].uses.push(form(random, *resource, *other, of_resource));
    true
}

/// Lets an item stop before or after any other that it does not name yet; false if it named that one.
pub(super) fn order_any(random: &mut Rng, program: &mut Program, item: usize) -> bool {
    let other = random.usize(0..program.items.len());
    let side = if random.bool() { Side::After } else { Side::Before };
    order(program, item, side, other)
}

/// Writes an order, unless the macros would refuse it by themselves.
pub(super) fn order(program: &mut Program, item: usize, side: Side, other: usize) -> bool {
    let named = program.items[item].orders.iter().any(|(_, named)| *named == other);
    let first_and_after = program.items[item].at_drain && side == Side::After;
    if named || other == item || first_and_after {
        return false;
    }
    program.items[item].orders.push((side, other));
    true
}
