//! Walks a plan's tables once and finds which fields are in trouble.
//!
//! Lean on purpose: it runs inside `cargo check` for every plan. The texts are composed by `verify.rs`,
//! and only for a field that failed.

use super::rules::Findings;
use super::spec::{Identity, Kind, MemberSpec, Node, PlanSpec};

/// Where a member stands, as seen from the plan that is being checked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    pub(crate) member: &'static MemberSpec,
    pub(crate) field: u16,
    /// Which part inside the field it belongs to, from 1; 0 for none.
    pub(crate) part: u16,
    /// The part's name, empty for none.
    pub(crate) part_name: &'static str,
    /// The previous row with the same identity, plus one; 0 for none.
    pub(crate) twin: u16,
}

static NOBODY: MemberSpec = MemberSpec {
    identity: Identity::new(0, "", 0, 0),
    name: "",
    kind: Kind::Task,
    budget: None,
    uses: &[],
    orders: &[],
    behaviour: super::spec::Behaviour::DEFAULT,
    place: super::spec::Place { file: "", line: 0 },
};

/// Where two rows stand to each other in the plan that is being checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relation {
    /// The first is over before the second is told to stop.
    Before,
    /// The second is over before the first is told to stop.
    After,
    /// Both stop in one phase.
    Together,
    /// Nothing orders their phases.
    Parallel,
    /// Both are inside one part, which judges them itself.
    InsidePart,
}

/// A plan with its members laid out flat and its failures marked.
#[derive(Debug)]
pub struct Solved<const MEMBERS: usize, const SLOTS: usize, const FIELDS: usize> {
    pub(crate) plan: &'static PlanSpec,
    pub(crate) rows: [Row; MEMBERS],
    pub(crate) length: usize,
    /// Open addressing by identity; the last row of that identity, plus one.
    slots: [u16; SLOTS],
    pub(crate) failed: [bool; FIELDS],
}

/// How many members a plan can name, an `Option` or a `Vec` counting once.
pub const fn members(plan: &PlanSpec) -> usize {
    let mut total = 0;
    let mut at = 0;
    while at < plan.fields.len() {
        total += count(plan.fields[at].node);
        at += 1;
    }
    total
}

const fn count(node: &Node) -> usize {
    match node {
        Node::Empty => 0,
        Node::Member(_) => 1,
        Node::Optional(inner) | Node::Many(inner) => count(inner),
        Node::Part(part) => members(part),
        Node::All(nodes) => {
            let mut total = 0;
            let mut at = 0;
            while at < nodes.len() {
                total += count(nodes[at]);
                at += 1;
            }
            total
        }
    }
}

/// How many slots the table of a plan's members needs: a power of two, at most half full.
pub const fn capacity(plan: &PlanSpec) -> usize {
    (members(plan) * 2 + 1).next_power_of_two()
}

/// Lays a plan out and marks the fields that break a rule of the graph.
///
/// # Panics
///
/// If the plan has more members than `MEMBERS`, or more than 65,535.
pub const fn solve<const MEMBERS: usize, const SLOTS: usize, const FIELDS: usize>(
    plan: &'static PlanSpec,
) -> Solved<MEMBERS, SLOTS, FIELDS> {
    assert!(MEMBERS <= u16::MAX as usize, "a plan holds at most 65,535 members");
    let nobody = Row { member: &NOBODY, field: 0, part: 0, part_name: "", twin: 0 };
    let mut solved =
        Solved { plan, rows: [nobody; MEMBERS], length: 0, slots: [0; SLOTS], failed: [false; FIELDS] };
    let mut field = 0;
    while field < plan.fields.len() {
        let mut parts = 0;
        solved.enter(plan.fields[field].node, field as u16, 0, "", &mut parts);
        field += 1;
    }
    let mut findings = Findings::<FIELDS, 0>::new(FIELDS);
    solved.judge(&mut findings);
    solved.failed = findings.failed;
    solved
}

impl<const MEMBERS: usize, const SLOTS: usize, const FIELDS: usize> Solved<MEMBERS, SLOTS, FIELDS> {
    const fn enter(&mut self, node: &Node, field: u16, part: u16, part_name: &'static str, parts: &mut u16) {
        match node {
            Node::Empty => {}
            Node::Member(member) => self.insert(member, field, part, part_name),
            Node::Optional(inner) | Node::Many(inner) => self.enter(inner, field, part, part_name, parts),
            Node::All(nodes) => {
                let mut at = 0;
                while at < nodes.len() {
                    self.enter(nodes[at], field, part, part_name, parts);
                    at += 1;
                }
            }
            Node::Part(inner) => {
                // Only the outermost part matters: what is inside it is judged by it.
                let (part, part_name) = if part == 0 {
                    *parts += 1;
                    (*parts, inner.name)
                } else {
                    (part, part_name)
                };
                let mut at = 0;
                while at < inner.fields.len() {
                    self.enter(inner.fields[at].node, field, part, part_name, parts);
                    at += 1;
                }
            }
        }
    }

    const fn insert(&mut self, member: &'static MemberSpec, field: u16, part: u16, part_name: &'static str) {
        let slot = self.slot(member.identity);
        self.rows[self.length] = Row { member, field, part, part_name, twin: self.slots[slot] };
        self.length += 1;
        self.slots[slot] = self.length as u16;
    }

    const fn slot(&self, identity: Identity) -> usize {
        let mut slot = identity.value() as usize & (SLOTS - 1);
        while self.slots[slot] != 0 && !self.rows[self.slots[slot] as usize - 1].member.identity.is(identity)
        {
            slot = (slot + 1) & (SLOTS - 1);
        }
        slot
    }

    /// The last row with this identity, plus one; 0 for none. Earlier ones hang on `twin`.
    pub(crate) const fn find(&self, identity: Identity) -> u16 {
        self.slots[self.slot(identity)]
    }

    pub(crate) const fn relation(&self, first: &Row, second: &Row) -> Relation {
        let (one, other) = (first.field as usize, second.field as usize);
        if one == other {
            return if first.part != 0 && first.part == second.part {
                Relation::InsidePart
            } else {
                Relation::Together
            };
        }
        if self.plan.fields[other].follows.contains(other, one) {
            Relation::Before
        } else if self.plan.fields[one].follows.contains(one, other) {
            Relation::After
        } else {
            Relation::Parallel
        }
    }
}
