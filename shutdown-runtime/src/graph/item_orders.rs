//! The orders that travel with items: the rule that a plan obeys them, and the paths that they form.

use super::describe;
use super::rules::Findings;
use super::solve::{Layout, Relation, Row};
use super::spec::{Direction, Held, Identity, Kind, OrderSpec, UseSpec};

impl<const MEMBERS: usize, const SLOTS: usize, const FIELDS: usize> Layout<MEMBERS, SLOTS, FIELDS> {
    /// An order on an item holds in every plan that has both.
    pub(super) const fn judge_order<const TEXT: usize>(
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
        // Do the items' own orders also demand the reverse? Then no plan can please them.
        let path = self.path_between(second, first);
        if path.length == 0 {
            let relation = self.relation(first, second);
            let text = &mut findings.text;
            describe::order_violated(text, self.plan, (first, second), declarer, order, relation);
            if second.member.behaviour.at_drain {
                describe::help_at_drain(text, second, order, declarer);
                return;
            }
            match use_of(second, first) {
                // Nor may it move: a resource closes after all who use it, whatever an order says.
                Some(how) => describe::help_to_use(text, first, second, how, order, declarer),
                None => describe::help_to_order(text, self.plan, (first, second), self.repair(first, second)),
            }
        } else {
            describe::order_cycle(&mut findings.text, &self.rows, &path, first, order, declarer);
        }
    }

    /// What has to change for `late` to stop after `early`.
    pub(super) const fn repair(&self, early: &Row, late: &Row) -> Repair {
        if use_of(late, early).is_some() {
            return Repair::Mutual;
        }
        let mut at = 0;
        while at < self.length {
            let row = &self.rows[at];
            if row.field == late.field
                && early.field != late.field
                && self.must_stop_before_field(row, early.field)
            {
                // To move the whole field would only turn the mistake round.
                return Repair::Apart;
            }
            at += 1;
        }
        Repair::Of(self.relation(early, late))
    }

    const fn must_stop_before_field(&self, row: &Row, field: u16) -> bool {
        let mut at = 0;
        while at < self.length {
            let other = &self.rows[at];
            if other.field == field && (orders_before(row, other) || use_of(row, other).is_some()) {
                return true;
            }
            at += 1;
        }
        false
    }

    /// The path by which the items' own orders demand that `early` stops before `late`; of length 0 where they do not.
    pub(super) const fn path_between(&self, early: &Row, late: &Row) -> Path<MEMBERS> {
        let mut path = Path { rows: [0; MEMBERS], length: 0 };
        let mut seen = [false; MEMBERS];
        path.length = self.must_precede(early.member.identity.value(), late, &mut path.rows, &mut seen, 0);
        path
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
}

/// How two members come to stop in the order in which they must.
#[derive(Clone, Copy)]
pub(crate) enum Repair {
    /// Their fields change places, now that they stand to each other in this way.
    Of(Relation),
    /// The later one leaves its field, where another member must stop before the earlier one's.
    Apart,
    /// None: the two use each other.
    Mutual,
}

/// A chain of items' orders, from the one before the last item to the first one.
pub(crate) struct Path<const MEMBERS: usize> {
    /// The numbers of the rows.
    pub(crate) rows: [u16; MEMBERS],
    /// How many of them are meant.
    pub(crate) length: usize,
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

/// How an item uses a resource, if it does.
const fn use_of(user: &Row, resource: &Row) -> Option<&'static UseSpec> {
    let mut at = 0;
    while matches!(resource.member.kind, Kind::Resource) && at < user.member.uses.len() {
        let how = &user.member.uses[at];
        if holds(how.held, resource.member.identity) {
            return Some(how);
        }
        at += 1;
    }
    None
}

const fn holds(held: &'static Held, resource: Identity) -> bool {
    if let Held::One(name) = held {
        return name.identity.is(resource);
    }
    let parts = held.parts();
    let mut at = 0;
    while at < parts.len() {
        if holds(parts[at], resource) {
            return true;
        }
        at += 1;
    }
    false
}
