//! Walks a plan's tables once and finds which fields are in trouble.
//!
//! Lean on purpose: it runs inside `cargo check` for every plan, where a call costs some twenty times a comparison. The
//! texts are composed by `verify.rs`, and only for a field that failed.

use super::rules::Findings;
use super::spec::{Follows, Identity, Kind, MemberSpec, Node, PlanSpec};

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
    behaviour: super::behaviour::Behaviour::DEFAULT,
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

/// Which of a plan's fields break a rule.
///
/// No more than that: what a constant points at is looked through by rustc once more for each constant that does.
#[derive(Debug)]
pub struct Solved<const MEMBERS: usize, const SLOTS: usize, const FIELDS: usize> {
    pub(crate) plan: &'static PlanSpec,
    pub(crate) failed: [bool; FIELDS],
}

/// A plan with its members laid out flat.
pub(crate) struct Layout<const MEMBERS: usize, const SLOTS: usize, const FIELDS: usize> {
    pub(crate) plan: &'static PlanSpec,
    pub(crate) rows: [Row; MEMBERS],
    pub(crate) length: usize,
    /// Open addressing by identity; the last row of that identity, plus one.
    slots: [u16; SLOTS],
}

/// How many members a plan can name, an `Option` or a `Vec` counting once.
pub const fn members(plan: &PlanSpec) -> usize {
    let mut total = 0;
    let mut at = 0;
    while at < plan.fields.len() {
        total += count(&plan.fields[at].node);
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
                total += if let Node::Member(_) = nodes[at] { 1 } else { count(&nodes[at]) };
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

/// Whether all of a part is in another one, which has judged its members among themselves.
const fn only_wraps(plan: &PlanSpec) -> bool {
    plan.part && plan.fields.len() == 1 && matches!(plan.fields[0].node, Node::Part(_))
}

/// Lays a plan out and marks the fields that break a rule of the graph.
///
/// # Panics
///
/// If the plan has more members than `MEMBERS`, or more than 65,535.
pub const fn solve<const MEMBERS: usize, const SLOTS: usize, const FIELDS: usize>(
    plan: &'static PlanSpec,
) -> Solved<MEMBERS, SLOTS, FIELDS> {
    let mut findings = Findings::<FIELDS, 0>::new(FIELDS);
    Layout::<MEMBERS, SLOTS, FIELDS>::of(plan).judge(&mut findings);
    Solved { plan, failed: findings.failed }
}

impl<const MEMBERS: usize, const SLOTS: usize, const FIELDS: usize> Layout<MEMBERS, SLOTS, FIELDS> {
    pub(crate) const fn of(plan: &'static PlanSpec) -> Self {
        assert!(MEMBERS <= u16::MAX as usize, "a plan holds at most 65,535 members");
        let nobody = Row { member: &NOBODY, field: 0, part: 0, part_name: "", twin: 0 };
        let mut layout = Self { plan, rows: [nobody; MEMBERS], length: 0, slots: [0; SLOTS] };
        let mut field = if only_wraps(plan) { plan.fields.len() } else { 0 };
        while field < plan.fields.len() {
            let mut parts = 0;
            layout.enter(&plan.fields[field].node, field as u16, 0, "", &mut parts);
            field += 1;
        }
        layout
    }

    const fn enter(&mut self, node: &Node, field: u16, part: u16, part_name: &'static str, parts: &mut u16) {
        match node {
            Node::Empty => {}
            Node::Member(member) => self.insert(member, field, part, part_name),
            Node::Optional(inner) | Node::Many(inner) => self.enter(inner, field, part, part_name, parts),
            Node::All(nodes) => {
                let mut at = 0;
                while at < nodes.len() {
                    if let Node::Member(member) = nodes[at] {
                        self.insert(member, field, part, part_name);
                    } else {
                        self.enter(&nodes[at], field, part, part_name, parts);
                    }
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
                    self.enter(&inner.fields[at].node, field, part, part_name, parts);
                    at += 1;
                }
            }
        }
    }

    const fn insert(&mut self, member: &'static MemberSpec, field: u16, part: u16, part_name: &'static str) {
        let identity = member.identity.0;
        let mut slot = identity as usize & (SLOTS - 1);
        while self.slots[slot] != 0 && self.rows[self.slots[slot] as usize - 1].member.identity.0 != identity
        {
            slot = (slot + 1) & (SLOTS - 1);
        }
        self.rows[self.length] = Row { member, field, part, part_name, twin: self.slots[slot] };
        self.length += 1;
        self.slots[slot] = self.length as u16;
    }

    /// The last row with this identity, plus one; 0 for none. Earlier ones hang on `twin`.
    pub(crate) const fn find(&self, identity: Identity) -> u16 {
        let mut slot = identity.0 as usize & (SLOTS - 1);
        while self.slots[slot] != 0
            && self.rows[self.slots[slot] as usize - 1].member.identity.0 != identity.0
        {
            slot = (slot + 1) & (SLOTS - 1);
        }
        self.slots[slot]
    }

    pub(crate) const fn relation(&self, first: &Row, second: &Row) -> Relation {
        let (one, other) = (first.field as usize, second.field as usize);
        if one == other && first.part != 0 && first.part == second.part {
            return Relation::InsidePart;
        }
        // Wherever their fields stand, hooks at the drain are over before any phase begins.
        match (first.member.behaviour.at_drain, second.member.behaviour.at_drain) {
            (false, false) => {}
            (true, false) => return Relation::Before,
            (false, true) => return Relation::After,
            (true, true) => return Relation::Together,
        }
        if one == other {
            return Relation::Together;
        }
        // Most plans are sequences, and a call costs more than the comparison.
        let sequence = matches!(self.plan.fields[other].follows, Follows::Above) && one < other;
        if sequence || self.plan.fields[other].follows.contains(other, one) {
            Relation::Before
        } else if self.plan.fields[one].follows.contains(one, other) {
            Relation::After
        } else {
            Relation::Parallel
        }
    }
}
