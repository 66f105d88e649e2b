//! The rules of the graph, one function each. The same code marks failed fields and, for one field, composes the text.

use super::describe;
use super::solve::{Layout, Relation, Row};
use super::spec::{Follows, Held, Kind, Node, ResourceName, UseSpec};
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
    pub(super) const fn mark(&mut self, field: u16) -> bool {
        self.failed[field as usize] = true;
        // What has no room need not be worked out.
        let wanted = field as usize == self.wanted && !self.text.is_cut();
        if wanted && !self.text.is_empty() {
            self.text.push("\n\n");
        }
        wanted
    }
}

impl<const MEMBERS: usize, const SLOTS: usize, const FIELDS: usize> Layout<MEMBERS, SLOTS, FIELDS> {
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
                if let Held::One(resource) = how.held {
                    self.judge_resource(findings, row, how, resource);
                } else {
                    self.judge_use(findings, row, how, how.held);
                }
                each += 1;
            }
            let mut each = 0;
            while each < row.member.orders.len() {
                self.judge_order(findings, row, &row.member.orders[each]);
                each += 1;
            }
            if row.member.behaviour.unit.is_some() {
                self.judge_unit(findings, row);
            }
            at += 1;
        }
        let mut field = 0;
        while field < self.plan.fields.len() {
            if let Some(written) = self.plan.fields[field].budget {
                self.judge_budget(findings, field as u16, &self.plan.fields[field].node, written);
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
            Held::One(resource) => self.judge_resource(findings, user, how, resource),
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

    const fn judge_resource<const TEXT: usize>(
        &self,
        findings: &mut Findings<FIELDS, TEXT>,
        user: &Row,
        how: &UseSpec,
        resource: &ResourceName,
    ) {
        let mut found = self.find(resource.identity);
        if found == 0 {
            self.never_closed(findings, user, how, resource);
        }
        // One that has several places is refused for that; those in the wrong place are named all the same.
        while found != 0 {
            let place = &self.rows[found as usize - 1];
            // The commonest case without a call.
            let below = matches!(self.plan.fields[place.field as usize].follows, Follows::Above);
            if !(below && user.field < place.field) {
                self.close_before_wait(findings, user, how, place);
            }
            found = place.twin;
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
                    // Do the items' own orders demand just that? Then moving the field is not enough.
                    let path = self.path_between(resource, user);
                    let text = &mut findings.text;
                    describe::close_before_wait(text, self.plan, user, how, resource, relation);
                    let repair = self.repair(user, resource);
                    describe::help_to_close(text, self.plan, &self.rows, &path, (user, resource), repair);
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
            let namesake = self.namesake(resource.name);
            describe::never_closed(&mut findings.text, self.plan, user, how, resource, namesake);
        }
    }

    /// A resource of that name in this plan.
    const fn namesake(&self, name: &str) -> Option<&Row> {
        let mut at = 0;
        while at < self.length {
            let row = &self.rows[at];
            if matches!(row.member.kind, Kind::Resource) && same(row.member.name, name) {
                return Some(row);
            }
            at += 1;
        }
        None
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

    /// The fields' own orders allow some sequence.
    const fn field_cycle<const TEXT: usize>(&self, findings: &mut Findings<FIELDS, TEXT>) {
        if findings.mark(self.plan.cycle[0].field) {
            describe::field_cycle(&mut findings.text, self.plan);
        }
    }

    /// One unit of work fits what the member gets in its phase (`R-SHUT-OBS-1`).
    ///
    /// A written budget is compared where it is written; this is for the default and for what `#[phase(budget)]` grants,
    /// which the item cannot see. A part judges its own members, by its own fields.
    const fn judge_unit<const TEXT: usize>(&self, findings: &mut Findings<FIELDS, TEXT>, row: &Row) {
        let (Some(unit), Some(drain)) = (row.member.behaviour.unit, row.member.behaviour.drain()) else {
            return;
        };
        let granted = time::millis(row.member, self.plan.fields[row.field as usize].budget);
        if row.part == 0 && drain > granted && findings.mark(row.field) {
            describe::unit_over_budget(&mut findings.text, self.plan, row, unit, granted);
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
                let in_phase = !member.behaviour.at_drain;
                if in_phase && written > granted && findings.mark(field) {
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
                    self.judge_budget(findings, field, &nodes[at], granted);
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

/// `==` of texts is not yet `const`.
const fn same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}
