//! What stands where: plans, parts within parts, tuples, and the orders of fields.

use fastrand::Rng;

use super::{chance, some_below};
use crate::model::{Field, Item, Kind, Node, Plan, Program, Total};
use crate::oracle::has_cycle;

/// How deep parts stand in parts.
const DEPTH: usize = 3;
/// The most members of a tuple that is a phase.
const TUPLE: usize = 12;

/// Places, and the items in them, which say nothing yet.
pub(super) struct Skeleton<'a> {
    random: &'a mut Rng,
    program: Program,
    /// In a hundred, how often a place holds an item that stands elsewhere too.
    repeats: u8,
    /// Whether orders of fields may contradict each other.
    cycles: bool,
}

/// Places for so many members, in a root and its parts.
pub(super) fn skeleton(random: &mut Rng, members: usize, repeats: u8, cycles: bool) -> Program {
    let mut skeleton = Skeleton { random, program: Program::default(), repeats, cycles };
    if chance(skeleton.random, 5) {
        // A part that stands in no plan is judged all the same.
        let members = skeleton.random.usize(1..=members.min(8));
        skeleton.plan(members, DEPTH, None);
    }
    let total = Total { budget: 0, pre_stop: 0, lame_duck: 0, margin: 0 };
    skeleton.plan(members, 0, Some(total));
    for _ in 0..skeleton.random.usize(0..=2) {
        skeleton.item();
    }
    skeleton.program
}

impl Skeleton<'_> {
    fn item(&mut self) -> usize {
        let kind = match self.random.u8(0..100) {
            0..50 => Kind::Task,
            50..65 => Kind::Hook,
            _ => Kind::Resource,
        };
        let at_drain = kind == Kind::Hook && chance(self.random, 30);
        self.program.items.push(Item { at_drain, ..Item::new(kind) });
        self.program.items.len() - 1
    }

    fn plan(&mut self, members: usize, depth: usize, total: Option<Total>) -> usize {
        let mut fields = Vec::new();
        let mut left = members;
        while left > 0 {
            if chance(self.random, 3) {
                fields.push(Field::new(Node::Nothing));
            }
            let share = match self.random.u8(0..100) {
                0..65 => 1,
                65..88 => self.random.usize(2..=4).min(left),
                _ => self.random.usize(1..=left),
            };
            fields.push(Field::new(self.node(share, depth)));
            left -= share;
        }
        self.order(&mut fields);
        let plan = Plan { total, fields };
        self.program.plans.push(plan);
        self.program.plans.len() - 1
    }

    fn node(&mut self, members: usize, depth: usize) -> Node {
        let part = if members == 1 { 6 } else { 45 };
        let node = if depth < DEPTH && chance(self.random, part) {
            Node::Part(self.plan(members, depth + 1, None))
        } else if members == 1 {
            Node::Item(self.placed())
        } else {
            self.tuple(members, depth)
        };
        match self.random.u8(0..100) {
            0..12 => Node::Optional(Box::new(node)),
            12..20 => Node::Many(Box::new(node)),
            _ => node,
        }
    }

    fn tuple(&mut self, members: usize, depth: usize) -> Node {
        let places = self.random.usize(2..=members.min(TUPLE));
        // One each, and the rest to one of them.
        let favourite = self.random.usize(0..places);
        let rest = members - places;
        let share = |place: usize| if place == favourite { 1 + rest } else { 1 };
        Node::Tuple((0..places).map(|place| self.node(share(place), depth)).collect())
    }

    fn placed(&mut self) -> usize {
        let elsewhere = (0..self.program.items.len()).filter(|item| self.may_repeat(*item));
        let elsewhere: Vec<usize> = elsewhere.collect();
        match self.random.choice(elsewhere) {
            Some(item) if chance(self.random, self.repeats) => item,
            _ => self.item(),
        }
    }

    /// A resource has one place, unless anything goes.
    fn may_repeat(&self, item: usize) -> bool {
        self.cycles || self.program.items[item].kind != Kind::Resource
    }

    fn order(&mut self, fields: &mut [Field]) {
        let share = self.random.choice([0, 0, 15, 70]).unwrap_or_default();
        for number in 0..fields.len() {
            if chance(self.random, share) {
                order_field(self.random, fields, number);
            }
        }
        let plan = |fields: &[Field]| Plan { total: None, fields: fields.to_vec() };
        let keep = self.cycles && chance(self.random, 30);
        while !keep && has_cycle(&plan(fields)) {
            let number = self.random.usize(0..fields.len());
            fields[number].after = None;
            fields[number].before.clear();
        }
    }
}

/// Writes an order on a field.
pub(super) fn order_field(random: &mut Rng, fields: &mut [Field], number: usize) {
    let count = fields.len();
    let field = &mut fields[number];
    field.after = None;
    field.before.clear();
    match random.u8(0..100) {
        0..60 => field.after = Some(some_below(random, number, 3)),
        60..70 => field.after = Some(some_below(random, count, 2)),
        70..85 => field.before = some_below(random, count, 2),
        _ => {
            field.after = Some(some_below(random, number, 2));
            field.before = some_below(random, count, 2);
        }
    }
    // What the macros refuse by themselves.
    field.before.retain(|other| *other != number);
    let before = field.before.clone();
    if let Some(after) = &mut field.after {
        after.retain(|other| *other != number && !before.contains(other));
    }
}
