//! A plan with all that its parts hold, as one graph of events and one tree of places.

use std::collections::BTreeSet;

use petgraph::graph::{DiGraph, NodeIndex};

use super::order::{behind_cycles, field_order};
use crate::model::{Kind, Node, Program};

/// What a node of the tree is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Plan,
    Field(usize),
    Inner,
}

/// One place in which an item stands.
#[derive(Debug)]
pub(super) struct Occurrence {
    pub(super) item: usize,
    /// It is told to stop.
    pub(super) told: NodeIndex,
    /// It is over.
    pub(super) over: NodeIndex,
    /// Its leaf in the tree.
    pub(super) leaf: NodeIndex,
    /// What it takes of the drain, in milliseconds; nothing if it stops in its phase.
    pub(super) at_drain: Option<u64>,
}

/// A plan, unfolded.
#[derive(Debug)]
pub(super) struct Unfolded {
    /// Events, with an edge from each to those that come after it, and the milliseconds between.
    pub(super) events: DiGraph<(), u64>,
    pub(super) end: NodeIndex,
    /// The drain of the whole: all hooks at the drain are over, and no phase has begun.
    begin: NodeIndex,
    drained: NodeIndex,
    /// What holds what; node 0 is the plan itself.
    pub(super) places: DiGraph<Place, ()>,
    /// In the order in which one reads the plan.
    pub(super) occurrences: Vec<Occurrence>,
}

/// What surrounds a node while it is unfolded.
#[derive(Clone, Copy)]
struct Around {
    told: NodeIndex,
    over: NodeIndex,
    holder: NodeIndex,
    /// The budget of members that wrote none.
    budget: Option<u64>,
    /// Whether it counts as time: what stands behind a cycle has no place in a path.
    counted: bool,
}

pub(super) fn unfold(program: &Program, plan: usize) -> Unfolded {
    let (mut events, mut places) = (DiGraph::new(), DiGraph::new());
    let (begin, drained, over) = (events.add_node(()), events.add_node(()), events.add_node(()));
    events.add_edge(begin, drained, 0);
    let holder = places.add_node(Place::Plan);
    let mut unfolded = Unfolded { events, end: over, begin, drained, places, occurrences: Vec::new() };
    unfolded.plan(program, plan, Around { told: drained, over, holder, budget: None, counted: true });
    unfolded
}

impl Unfolded {
    fn plan(&mut self, program: &Program, plan: usize, around: Around) {
        let fields = &program.plans[plan].fields;
        let order = field_order(&program.plans[plan]);
        let behind: BTreeSet<usize> = behind_cycles(&order);
        let mut ends = Vec::new();
        for (number, field) in fields.iter().enumerate() {
            let (told, over) = self.span(around.told, around.over, 0);
            let holder = self.place(around.holder, Place::Field(number));
            let counted = around.counted && !behind.contains(&number);
            self.node(program, &field.node, Around { told, over, holder, budget: field.budget, counted });
            ends.push((told, over));
        }
        for edge in order.raw_edges() {
            let (earlier, later) = (edge.source().index(), edge.target().index());
            if !behind.contains(&earlier) && !behind.contains(&later) {
                self.events.add_edge(ends[earlier].1, ends[later].0, 0);
            }
        }
    }

    fn node(&mut self, program: &Program, node: &Node, around: Around) {
        let holder = self.place(around.holder, Place::Inner);
        let inside = Around { holder, ..around };
        match node {
            Node::Nothing => {}
            Node::Item(number) => {
                let item = &program.items[*number];
                let default = if item.kind == Kind::Task { 10_000 } else { 5_000 };
                let budget = item.budget.or(around.budget).unwrap_or(default);
                let (told, over) = if item.at_drain {
                    self.span(self.begin, self.drained, 0)
                } else {
                    self.span(around.told, around.over, if around.counted { budget } else { 0 })
                };
                let at_drain = item.at_drain.then_some(budget);
                self.occurrences.push(Occurrence { item: *number, told, over, leaf: holder, at_drain });
            }
            Node::Tuple(nodes) => nodes.iter().for_each(|node| self.node(program, node, inside)),
            Node::Optional(inner) | Node::Many(inner) => self.node(program, inner, inside),
            Node::Part(part) => {
                self.places[holder] = Place::Plan;
                self.plan(program, *part, inside);
            }
        }
    }

    /// Two events between two others, so many milliseconds apart.
    fn span(&mut self, told: NodeIndex, over: NodeIndex, millis: u64) -> (NodeIndex, NodeIndex) {
        let (begin, end) = (self.events.add_node(()), self.events.add_node(()));
        self.events.add_edge(told, begin, 0);
        self.events.add_edge(begin, end, millis);
        self.events.add_edge(end, over, 0);
        (begin, end)
    }

    fn place(&mut self, holder: NodeIndex, place: Place) -> NodeIndex {
        let node = self.places.add_node(place);
        self.places.add_edge(holder, node, ());
        node
    }
}
