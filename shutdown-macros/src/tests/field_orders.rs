//! The order among a plan's fields, against `petgraph`, for random orders on them.

use std::collections::BTreeSet;

use fastrand::Rng;
use petgraph::algo::tred::{dag_to_toposorted_adjacency_list, dag_transitive_reduction_closure};
use petgraph::algo::{tarjan_scc, toposort};
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::{Dfs, EdgeRef as _, IntoNeighbors as _};

use crate::model::field_graph::{FieldGraph, FieldOrder, solve};

const PLANS: u64 = 1_500;

/// From each field to those that must stop after it.
type Later = DiGraph<(), ()>;

#[test]
fn agree_with_petgraph() {
    let mut cyclic = 0;
    for seed in 0..PLANS {
        let fields = fields(&mut Rng::with_seed(seed));
        let (graph, later) = (solve(&fields), later(&fields));
        if toposort(&later, None).is_err() {
            cyclic += 1;
            has_this_cycle(&graph, &later, seed);
        } else {
            assert_eq!(graph.cycle, [], "seed {seed}");
            is_this_order(&graph, &later, seed);
            follow_those_above(&graph, &fields, seed);
        }
        is_sorted(&graph, &later, seed);
    }
    assert!((PLANS / 5..PLANS / 2).contains(&cyclic), "{cyclic} of {PLANS} have a cycle");
}

/// Plans of all sizes, some of more fields than a word has bits, with few orders or many.
fn fields(random: &mut Rng) -> Vec<FieldOrder> {
    let count = random.choice([3, 8, 30, 140]).map_or(1, |most| random.usize(1..=most));
    let share = random.choice([2, 10, 50, 90]).unwrap_or_default();
    // Orders on what stands below make most cycles.
    let below = random.choice([0, 0, 5, 30]).unwrap_or_default();
    let order = |number: usize| {
        let mut order = FieldOrder::default();
        if random.u8(0..100) < share {
            let limit = if random.u8(0..100) < below { count } else { number };
            let kind = random.u8(0..3);
            if kind < 2 {
                order.after = Some(some_below(random, limit, number));
            }
            if kind > 0 {
                let from = if random.u8(0..100) < 30 { 0 } else { number };
                order.before = some_below(random, count - from, number - from)
                    .iter()
                    .map(|other| other + from)
                    .collect();
            }
        }
        order
    };
    (0..count).map(order).collect()
}

fn some_below(random: &mut Rng, limit: usize, but: usize) -> Vec<usize> {
    let count = random.usize(0..=limit.min(3));
    let mut some = random.choose_multiple(0..limit, count);
    some.retain(|number| *number != but);
    some
}

/// The orders, as the contract says them.
fn later(fields: &[FieldOrder]) -> Later {
    let mut graph = Later::new();
    let nodes: Vec<NodeIndex> = fields.iter().map(|_| graph.add_node(())).collect();
    for (number, field) in fields.iter().enumerate() {
        let above = match &field.after {
            Some(after) => after.clone(),
            None => {
                let earliest = field.before.iter().copied().min().unwrap_or(number);
                (0..number).filter(|other| *other < earliest).collect()
            }
        };
        for earlier in above {
            graph.update_edge(nodes[earlier], nodes[number], ());
        }
        for later in &field.before {
            graph.update_edge(nodes[number], nodes[*later], ());
        }
    }
    graph
}

/// Closure, reduction and rank.
fn is_this_order(graph: &FieldGraph, later: &Later, seed: u64) {
    let sorted = toposort(later, None).expect("no cycle");
    let (list, place) = dag_to_toposorted_adjacency_list::<_, u32>(later, &sorted);
    let (reduction, closure) = dag_transitive_reduction_closure(&list);
    let mut after = vec![BTreeSet::new(); sorted.len()];
    let mut follows = vec![BTreeSet::new(); sorted.len()];
    let mut rank = vec![1; sorted.len()];
    for field in &sorted {
        let at = place[field.index()];
        for next in reduction.neighbors(at) {
            after[sorted[next as usize].index()].insert(field.index());
        }
        for next in closure.neighbors(at) {
            follows[sorted[next as usize].index()].insert(field.index());
        }
        for edge in later.edges(*field) {
            let target = edge.target().index();
            rank[target] = rank[target].max(rank[field.index()] + 1);
        }
    }
    for field in 0..sorted.len() {
        let found: BTreeSet<usize> =
            (0..sorted.len()).filter(|other| graph.follows[field].contains(*other)).collect();
        assert_eq!(found, follows[field], "what field {field} follows, seed {seed}");
        let direct: Vec<usize> = after[field].iter().copied().collect();
        assert_eq!(graph.after[field], direct, "what field {field} directly follows, seed {seed}");
        let above = found == (0..field).collect();
        assert_eq!(graph.follows_above(field), above, "field {field}, seed {seed}");
    }
    assert_eq!(graph.rank, rank, "seed {seed}");
}

/// Every field that says nothing follows all above it.
fn follow_those_above(graph: &FieldGraph, fields: &[FieldOrder], seed: u64) {
    for (number, field) in fields.iter().enumerate() {
        if field.after.is_none() && field.before.is_empty() {
            let above = (0..number).all(|other| graph.follows[number].contains(other));
            assert!(above, "field {number}, seed {seed}");
        }
    }
}

/// The order holds each field that no cycle keeps waiting, and always the uppermost that can be next.
fn is_sorted(graph: &FieldGraph, later: &Later, seed: u64) {
    let mut waiting: BTreeSet<usize> = (0..later.node_count()).collect();
    for cycle in tarjan_scc(later).into_iter().filter(|component| component.len() > 1) {
        let mut walk = Dfs::new(later, cycle[0]);
        while let Some(behind) = walk.next(later) {
            waiting.remove(&behind.index());
        }
    }
    assert_eq!(graph.order.len(), waiting.len(), "seed {seed}");
    for field in &graph.order {
        let is_free = |field: &&usize| {
            let mut earlier =
                later.neighbors_directed(NodeIndex::new(**field), petgraph::Direction::Incoming);
            earlier.all(|earlier| !waiting.contains(&earlier.index()))
        };
        let next = waiting.iter().find(is_free).copied();
        assert_eq!(next, Some(*field), "seed {seed}");
        waiting.remove(field);
    }
}

/// The cycle is a closed path on which no field stands twice, from each to one that it must stop after.
fn has_this_cycle(graph: &FieldGraph, later: &Later, seed: u64) {
    let cycle = &graph.cycle;
    let fields: Vec<usize> = cycle.iter().map(|(field, _)| *field).collect();
    let different: BTreeSet<usize> = fields.iter().copied().collect();
    assert!(cycle.len() >= 2 && different.len() == cycle.len(), "{cycle:?}, seed {seed}");
    for (at, field) in fields.iter().enumerate() {
        let earlier = fields[(at + 1) % fields.len()];
        let follows = later.contains_edge(NodeIndex::new(earlier), NodeIndex::new(*field));
        assert!(follows, "field {field} does not follow {earlier}, seed {seed}");
    }
}
