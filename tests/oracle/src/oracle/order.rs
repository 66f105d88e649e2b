//! The order among the fields of one plan, and the time that a plan needs.

use std::collections::BTreeSet;

use petgraph::algo::{tarjan_scc, toposort};
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::{Dfs, EdgeRef as _};

use super::unfold::{Unfolded, unfold};
use crate::model::{Plan, Program};

/// The fields as nodes, with an edge from each to those that must stop after it.
pub fn field_order(plan: &Plan) -> DiGraph<(), ()> {
    let mut graph = DiGraph::new();
    let nodes: Vec<_> = plan.fields.iter().map(|_| graph.add_node(())).collect();
    for (number, field) in plan.fields.iter().enumerate() {
        match (&field.after, field.before.iter().min()) {
            (Some(after), _) => {
                for earlier in after {
                    graph.add_edge(nodes[*earlier], nodes[number], ());
                }
            }
            (None, earliest) => {
                // Those above it, or above the earliest that it precedes.
                let limit = earliest.map_or(number, |earliest| number.min(*earliest));
                for earlier in &nodes[..limit] {
                    graph.add_edge(*earlier, nodes[number], ());
                }
            }
        }
        for later in &field.before {
            graph.add_edge(nodes[number], nodes[*later], ());
        }
    }
    graph
}

/// The fields that stand on a cycle.
pub(super) fn on_cycles(graph: &DiGraph<(), ()>) -> BTreeSet<usize> {
    let components = tarjan_scc(graph).into_iter().filter(|component| component.len() > 1);
    components.flatten().map(NodeIndex::index).collect()
}

/// The fields that stand on a cycle or after one.
pub(super) fn behind_cycles(graph: &DiGraph<(), ()>) -> BTreeSet<usize> {
    let mut behind = BTreeSet::new();
    for field in on_cycles(graph) {
        let mut walk = Dfs::new(graph, NodeIndex::new(field));
        while let Some(node) = walk.next(graph) {
            behind.insert(node.index());
        }
    }
    behind
}

/// Whether the orders of a plan's fields contradict each other.
pub fn has_cycle(plan: &Plan) -> bool {
    !on_cycles(&field_order(plan)).is_empty()
}

/// The longest path through a plan's phases, in milliseconds; of a plan with a cycle, through those before it.
pub fn needed(program: &Program, plan: usize) -> u64 {
    longest_path(&unfold(program, plan))
}

/// What the hooks at the drain of a plan take, which run together.
pub fn drain(program: &Program, plan: usize) -> u64 {
    longest_at_drain(&unfold(program, plan))
}

pub(super) fn longest_at_drain(unfolded: &Unfolded) -> u64 {
    unfolded.occurrences.iter().filter_map(|occurrence| occurrence.at_drain).max().unwrap_or_default()
}

pub(super) fn longest_path(unfolded: &Unfolded) -> u64 {
    let events = &unfolded.events;
    let order = toposort(events, None).expect("what stands on a cycle of fields is taken out of it");
    let mut longest = vec![0; events.node_count()];
    for event in order {
        for edge in events.edges(event) {
            let through = longest[event.index()] + edge.weight();
            let target = &mut longest[edge.target().index()];
            *target = through.max(*target);
        }
    }
    longest[unfolded.end.index()]
}
