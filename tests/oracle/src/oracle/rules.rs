//! The rules, over an unfolded plan.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use petgraph::algo::dominators::simple_fast;
use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::{Dfs, VisitMap as _, Visitable};

use super::order::{field_order, longest_at_drain, on_cycles};
use super::unfold::{Occurrence, Place as Stand, Unfolded};
use crate::model::{Kind, Program, Side};
use crate::verdict::{Place, Rule, Verdict};

type Reached = <DiGraph<(), u64> as Visitable>::Map;

/// Questions about the places in one unfolded plan.
struct Plan<'a> {
    unfolded: &'a Unfolded,
    /// For each occurrence what holds it, from the plan down to its own place.
    holders: Vec<Vec<NodeIndex>>,
    /// For each occurrence the events after its end.
    reached: Vec<OnceCell<Reached>>,
    /// For each item where it stands.
    of_item: Vec<Vec<usize>>,
}

impl<'a> Plan<'a> {
    fn new(program: &Program, unfolded: &'a Unfolded) -> Self {
        let mut of_item = vec![Vec::new(); program.items.len()];
        for (number, occurrence) in unfolded.occurrences.iter().enumerate() {
            of_item[occurrence.item].push(number);
        }
        // In a tree the dominators of a node are those that hold it.
        let dominators = simple_fast(&unfolded.places, NodeIndex::new(0));
        let holders = unfolded.occurrences.iter().map(|occurrence| {
            let inwards = dominators.dominators(occurrence.leaf).expect("the plan holds every place");
            let mut holders: Vec<_> = inwards.collect();
            holders.reverse();
            holders
        });
        let holders = holders.collect();
        let reached = unfolded.occurrences.iter().map(|_| OnceCell::new()).collect();
        Self { unfolded, holders, reached, of_item }
    }

    fn occurrence(&self, number: usize) -> &Occurrence {
        &self.unfolded.occurrences[number]
    }

    /// Whether the smallest plan that holds both is this one, and not a part of it.
    fn judges(&self, one: usize, other: usize) -> bool {
        let pairs = self.holders[one].iter().zip(&self.holders[other]);
        let common = pairs.take_while(|(one, other)| one == other).map(|(holder, _)| *holder);
        let plans = common.filter(|holder| self.unfolded.places[*holder] == Stand::Plan);
        plans.last() == Some(NodeIndex::new(0))
    }

    /// Whether one is over before the other is told to stop.
    fn is_over_before(&self, one: usize, other: usize) -> bool {
        let reached = self.reached[one].get_or_init(|| {
            let mut walk = Dfs::new(&self.unfolded.events, self.occurrence(one).over);
            while walk.next(&self.unfolded.events).is_some() {}
            walk.discovered
        });
        reached.is_visited(&self.occurrence(other).told)
    }

    /// The field of this plan in which it stands.
    fn field(&self, number: usize) -> Place {
        let mut fields =
            self.holders[number].iter().filter_map(|holder| match self.unfolded.places[*holder] {
                Stand::Field(field) => Some(field),
                Stand::Plan | Stand::Inner => None,
            });
        Place::Field(fields.next().expect("a place stands in a field"))
    }
}

/// Judges one plan; `needed` is what each plan of the program needs.
pub(super) fn judge(program: &Program, number: usize, unfolded: &Unfolded, needed: &[u64]) -> Verdict {
    let cycles = on_cycles(&field_order(&program.plans[number]));
    if !cycles.is_empty() {
        return Verdict::FieldCycle(cycles);
    }
    let plan = Plan::new(program, unfolded);
    let mut findings = uses(program, number, &plan);
    findings.extend(places(program, &plan));
    findings.extend(orders(program, &plan));
    findings.extend(budgets(program, number, unfolded, needed));
    Verdict::Findings(findings)
}

/// A resource closes, in this plan, after everything that uses it.
fn uses(program: &Program, number: usize, plan: &Plan<'_>) -> BTreeSet<(Place, Rule)> {
    let whole = program.plans[number].total.is_some();
    let mut findings = BTreeSet::new();
    for (user, occurrence) in plan.unfolded.occurrences.iter().enumerate() {
        for resource in program.items[occurrence.item].used() {
            if whole && plan.of_item[resource].is_empty() {
                findings.insert((plan.field(user), Rule::NeverClosed));
            }
            for place in &plan.of_item[resource] {
                if plan.judges(user, *place) && !plan.is_over_before(user, *place) {
                    findings.insert((plan.field(*place), Rule::CloseBeforeWait));
                }
            }
        }
    }
    findings
}

/// A resource has one place.
fn places(program: &Program, plan: &Plan<'_>) -> BTreeSet<(Place, Rule)> {
    let resources = plan.of_item.iter().zip(&program.items).filter(|(_, item)| item.kind == Kind::Resource);
    let pairs = resources.flat_map(|(places, _)| pairs(places));
    let apart = pairs.filter(|(one, other)| plan.judges(*one, *other));
    apart.map(|(_, second)| (plan.field(second), Rule::ClosedTwice)).collect()
}

fn pairs(numbers: &[usize]) -> impl Iterator<Item = (usize, usize)> + '_ {
    numbers.iter().enumerate().flat_map(|(at, one)| numbers[at + 1..].iter().map(|other| (*one, *other)))
}

/// Two items stop as an order on one of them says, unless no plan could do so.
fn orders(program: &Program, plan: &Plan<'_>) -> BTreeSet<(Place, Rule)> {
    let mut graph = DiGraph::<(), ()>::new();
    let nodes: Vec<_> = program.items.iter().map(|_| graph.add_node(())).collect();
    let held = |item: usize| !plan.of_item[item].is_empty();
    let demanded: Vec<(usize, usize)> = demanded(program).filter(|(a, b)| held(*a) && held(*b)).collect();
    for (earlier, later) in &demanded {
        graph.add_edge(nodes[*earlier], nodes[*later], ());
    }
    let mut component = vec![0; nodes.len()];
    for (number, members) in tarjan_scc(&graph).into_iter().enumerate() {
        for node in members {
            component[node.index()] = number;
        }
    }
    let mut findings = BTreeSet::new();
    for (earlier, later) in demanded {
        let cyclic = component[earlier] == component[later];
        let rule = if cyclic { Rule::OrderCycle } else { Rule::OrderViolated };
        for first in &plan.of_item[earlier] {
            for second in &plan.of_item[later] {
                if plan.judges(*first, *second) && !plan.is_over_before(*first, *second) {
                    findings.insert((plan.field(*second), rule));
                }
            }
        }
    }
    findings
}

/// The pairs of items of which the first must stop before the second.
fn demanded(program: &Program) -> impl Iterator<Item = (usize, usize)> + '_ {
    program.items.iter().enumerate().flat_map(|(declarer, item)| {
        item.orders.iter().map(move |(side, other)| match side {
            Side::After => (*other, declarer),
            Side::Before => (declarer, *other),
        })
    })
}

/// What is granted covers what is needed.
fn budgets(program: &Program, number: usize, unfolded: &Unfolded, needed: &[u64]) -> BTreeSet<(Place, Rule)> {
    let plan = &program.plans[number];
    let mut findings = BTreeSet::new();
    for (number, field) in plan.fields.iter().enumerate() {
        let Some(granted) = field.budget else { continue };
        let in_phase = field.node.items().into_iter().filter(|item| !program.items[*item].at_drain);
        let written = in_phase.filter_map(|item| program.items[item].budget).max();
        if written.is_some_and(|written| written > granted) {
            findings.insert((Place::Field(number), Rule::PhaseUnderMember));
        }
        if field.node.parts().into_iter().any(|part| needed[part] > granted) {
            findings.insert((Place::Field(number), Rule::PartOverBudget));
        }
    }
    if let Some(total) = plan.total {
        let drain = longest_at_drain(unfolded);
        if needed[number] + total.pre_stop + drain + total.lame_duck + total.margin > total.budget {
            findings.insert((Place::Budget, Rule::OverBudget));
        }
    }
    findings
}

/// For each two items whether the first is over before the second is told to stop wherever both are held.
pub fn precedes(program: &Program) -> Vec<Vec<bool>> {
    let count = program.items.len();
    let mut precedes = vec![vec![true; count]; count];
    for number in 0..program.plans.len() {
        let unfolded = super::unfold::unfold(program, number);
        let plan = Plan::new(program, &unfolded);
        for first in 0..unfolded.occurrences.len() {
            for second in 0..unfolded.occurrences.len() {
                if plan.judges(first, second) && !plan.is_over_before(first, second) {
                    precedes[plan.occurrence(first).item][plan.occurrence(second).item] = false;
                }
            }
        }
    }
    precedes
}
