//! The rules of the graph, one function each. The same code marks failed fields and, for one field, composes the text.

use super::describe;
use super::solve::{Relation, Row, Solved};
use super::spec::{Direction, Held, Kind, Node, OrderSpec, ResourceName, UseSpec};
use super::text::Text;
use super::time;

/// What the rules found: the fields that failed, and the text for the one that is wanted.
pub(crate) struct Findings<const FIELDS: usize, const TEXT: usize> {
    pub(crate) failed: [bool; FIELDS],
    pub(crate) text: Text<TEXT>,
    /// The field whose failures are written out; `FIELDS` for none.
    wanted: usize,
}

impl<const FIELDS: usize, const TEXT: usize> Findings<FIELDS, TEXT> {
    pub(crate) const fn new(wanted: usize) -> Self {
        Self { failed: [false; FIELDS], text: Text::new(), wanted }
    }

    /// Marks a field; true if its text is wanted, which then begins on a line of its own.
    const fn mark(&mut self, field: u16) -> bool {
        self.failed[field as usize] = true;
        let wanted = field as usize == self.wanted;
        if wanted && !self.text.is_empty() {
            self.text.push("\n\n");
        }
        wanted
    }
}

impl<const MEMBERS: usize, const SLOTS: usize, const FIELDS: usize> Solved<MEMBERS, SLOTS, FIELDS> {
    /// Runs every rule but the plan's total.
    pub(crate) const fn judge<const TEXT: usize>(&self, findings: &mut Findings<FIELDS, TEXT>) {
        if !self.plan.cycle.is_empty() {
            // Without an order of the fields nothing else can be said.
            self.field_cycle(findings);
            return;
        }
        let mut at = 0;
        while at < self.length {
            let row = &self.rows[at];
            if row.twin != 0 && matches!(row.member.kind, Kind::Resource) {
                self.closed_twice(findings, &self.rows[row.twin as usize - 1], row);
            }
            let mut each = 0;
            while each < row.member.uses.len() {
                let how = &row.member.uses[each];
                self.judge_use(findings, row, how, how.held);
                each += 1;
            }
            let mut each = 0;
            while each < row.member.orders.len() {
                self.judge_order(findings, row, &row.member.orders[each]);
                each += 1;
            }
            at += 1;
        }
        let mut field = 0;
        while field < self.plan.fields.len() {
            if let Some(written) = self.plan.fields[field].budget {
                self.judge_budget(findings, field as u16, self.plan.fields[field].node, written);
            }
            field += 1;
        }
    }

    const fn judge_use<const TEXT: usize>(
        &self,
        findings: &mut Findings<FIELDS, TEXT>,
        user: &Row,
        how: &UseSpec,
        held: &'static Held,
    ) {
        match held {
            Held::Nothing => {}
            Held::One(resource) => {
                let mut found = self.find(resource.identity);
                if found == 0 {
                    self.never_closed(findings, user, how, resource);
                }
                // One that has several places is refused for that; those in the wrong place are named all the same.
                while found != 0 {
                    let place = &self.rows[found as usize - 1];
                    self.close_before_wait(findings, user, how, place);
                    found = place.twin;
                }
            }
            Held::All(_) | Held::Inside(..) => {
                let parts = held.parts();
                let mut at = 0;
                while at < parts.len() {
                    self.judge_use(findings, user, how, parts[at]);
                    at += 1;
                }
            }
        }
    }

    /// A resource closes only once every member that uses it is over.
    const fn close_before_wait<const TEXT: usize>(
        &self,
        findings: &mut Findings<FIELDS, TEXT>,
        user: &Row,
        how: &UseSpec,
        resource: &Row,
    ) {
        let relation = self.relation(user, resource);
        match relation {
            Relation::Before | Relation::InsidePart => {}
            Relation::After | Relation::Together | Relation::Parallel => {
                if findings.mark(resource.field) {
                    describe::close_before_wait(&mut findings.text, self.plan, user, how, resource, relation);
                }
            }
        }
    }

    /// What is used is closed by the same plan. A part may leave the closing to its parent.
    const fn never_closed<const TEXT: usize>(
        &self,
        findings: &mut Findings<FIELDS, TEXT>,
        user: &Row,
        how: &UseSpec,
        resource: &ResourceName,
    ) {
        if !self.plan.part && findings.mark(user.field) {
            describe::never_closed(&mut findings.text, self.plan, user, how, resource);
        }
    }

    /// A resource closes in one place.
    const fn closed_twice<const TEXT: usize>(
        &self,
        findings: &mut Findings<FIELDS, TEXT>,
        first: &Row,
        second: &Row,
    ) {
        if !matches!(self.relation(first, second), Relation::InsidePart) && findings.mark(second.field) {
            describe::closed_twice(&mut findings.text, self.plan, first, second);
        }
    }

    /// An order on an item holds in every plan that has both.
    const fn judge_order<const TEXT: usize>(
        &self,
        findings: &mut Findings<FIELDS, TEXT>,
        declarer: &Row,
        order: &OrderSpec,
    ) {
        let mut found = self.find(order.other);
        while found != 0 {
            let other = &self.rows[found as usize - 1];
            let (first, second) = match order.direction {
                Direction::After => (other, declarer),
                Direction::Before => (declarer, other),
            };
            match self.relation(first, second) {
                Relation::Before | Relation::InsidePart => {}
                Relation::After | Relation::Together | Relation::Parallel => {
                    if findings.mark(second.field) {
                        self.describe_order(findings, first, second, declarer, order);
                    }
                }
            }
            found = other.twin;
        }
    }

    const fn describe_order<const TEXT: usize>(
        &self,
        findings: &mut Findings<FIELDS, TEXT>,
        first: &Row,
        second: &Row,
        declarer: &Row,
        order: &OrderSpec,
    ) {
        let mut path = [0u16; MEMBERS];
        let mut seen = [false; MEMBERS];
        // Do the items' own orders also demand the reverse? Then no plan can please them.
        let length = self.must_precede(second.member.identity.value(), first, &mut path, &mut seen, 0);
        if length == 0 {
            let relation = self.relation(first, second);
            describe::order_violated(
                &mut findings.text,
                self.plan,
                (first, second),
                declarer,
                order,
                relation,
            );
        } else {
            describe::order_cycle(&mut findings.text, &self.rows, &path, length, first, order, declarer);
        }
    }

    /// Follows the items' orders from `goal` backwards to the item `start`; the length of the path found, 0 for none.
    const fn must_precede(
        &self,
        start: u64,
        goal: &Row,
        path: &mut [u16; MEMBERS],
        seen: &mut [bool; MEMBERS],
        depth: usize,
    ) -> usize {
        let mut at = 0;
        while at < self.length {
            let row = &self.rows[at];
            if !seen[at] && orders_before(row, goal) {
                seen[at] = true;
                path[depth] = at as u16;
                if row.member.identity.value() == start {
                    return depth + 1;
                }
                let length = self.must_precede(start, row, path, seen, depth + 1);
                if length != 0 {
                    return length;
                }
            }
            at += 1;
        }
        0
    }

    /// The fields' own orders allow some sequence.
    const fn field_cycle<const TEXT: usize>(&self, findings: &mut Findings<FIELDS, TEXT>) {
        if findings.mark(self.plan.cycle[0]) {
            describe::field_cycle(&mut findings.text, self.plan);
        }
    }

    /// What a phase's attribute grants covers what its members and parts need.
    const fn judge_budget<const TEXT: usize>(
        &self,
        findings: &mut Findings<FIELDS, TEXT>,
        field: u16,
        node: &Node,
        granted: u64,
    ) {
        match node {
            Node::Empty => {}
            Node::Member(member) => {
                let written = time::millis(member, Some(0));
                if written > granted && findings.mark(field) {
                    describe::phase_under_member(
                        &mut findings.text,
                        self.plan,
                        field,
                        member,
                        written,
                        granted,
                    );
                }
            }
            Node::Optional(inner) | Node::Many(inner) => self.judge_budget(findings, field, inner, granted),
            Node::All(nodes) => {
                let mut at = 0;
                while at < nodes.len() {
                    self.judge_budget(findings, field, nodes[at], granted);
                    at += 1;
                }
            }
            Node::Part(part) => {
                if time::needed(part) > granted && findings.mark(field) {
                    describe::part_over_budget(&mut findings.text, self.plan, field, part, granted);
                }
            }
        }
    }
}

/// Whether an order on either item says that `first` stops before `second`.
const fn orders_before(first: &Row, second: &Row) -> bool {
    names(second, first, Direction::After) || names(first, second, Direction::Before)
}

const fn names(declarer: &Row, other: &Row, direction: Direction) -> bool {
    let mut at = 0;
    while at < declarer.member.orders.len() {
        let order = &declarer.member.orders[at];
        if order.other.is(other.member.identity)
            && matches!(
                (order.direction, direction),
                (Direction::After, Direction::After) | (Direction::Before, Direction::Before)
            )
        {
            return true;
        }
        at += 1;
    }
    false
}
