//! A program as the tables that the macros would emit, and what the runtime says of them.

use std::sync::LazyLock;

use shutdown_runtime::graph::{
    Because, Behaviour, Conduct, CycleStep, Direction, FieldSpec, Follows, Held, Identity, Kind as Is,
    MemberSpec, Node as Stands, OrderSpec, Place as Line, PlanSpec, ResourceName, Solved, UseSpec, failures,
    longest_path_from, solve,
};

use crate::model::{Field, Kind, Node, Plan, Program, Side, Use};
use crate::verdict::Place;

/// The macros' own solution of the fields' orders: a crate of macros exports nothing else, so it is compiled in here.
#[path = "../../../shutdown-macros/src/model/field_graph.rs"]
#[allow(
    dead_code,
    unreachable_pub,
    missing_docs,
    reason = "the macros use all of it, and document what is theirs"
)]
mod field_graph;

use field_graph::{FieldGraph, FieldOrder};

/// The most fields of a plan that can be judged here.
pub const FIELDS: usize = 64;
/// The most members of a plan that can be judged here, those in parts included.
pub const MEMBERS: usize = 128;

/// What the runtime says of a plan, each failure with what it underlines.
///
/// # Panics
///
/// If the plan has more than [`MEMBERS`] members or more than [`FIELDS`] fields.
pub fn said(plan: &'static PlanSpec) -> Vec<(Place, String)> {
    let solved: Solved<MEMBERS, { 2 * MEMBERS }, FIELDS> = solve(plan);
    let said = failures(&solved).into_iter();
    said.map(|failure| (failure.field.map_or(Place::Budget, Place::Field), failure.text)).collect()
}

/// The tables of each plan of a program. They are never freed: the graph's tables are `'static`, as in a compiled plan.
pub fn tables(program: &Program) -> Vec<&'static PlanSpec> {
    let members: Vec<&'static MemberSpec> =
        (0..program.items.len()).map(|item| kept(member(program, item))).collect();
    let mut plans: Vec<&'static PlanSpec> = Vec::new();
    for (number, plan) in program.plans.iter().enumerate() {
        let spec = plan_spec(number, plan, &members, &plans);
        plans.push(spec);
    }
    plans
}

fn kept<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

fn all<T>(values: impl IntoIterator<Item = T>) -> &'static [T] {
    let values: Vec<T> = values.into_iter().collect();
    if values.is_empty() { &[] } else { Box::leak(values.into_boxed_slice()) }
}

/// Names are the same in every program.
fn name(prefix: &str, number: usize) -> &'static str {
    const PREFIXES: [&str; 5] = ["task_", "hook_", "Resource", "Part", "phase_"];
    static NAMES: LazyLock<[Vec<String>; 5]> = LazyLock::new(|| {
        PREFIXES.map(|prefix| (0..2 * MEMBERS).map(|number| format!("{prefix}{number}")).collect())
    });
    let list = PREFIXES.iter().position(|known| *known == prefix).expect("a known prefix");
    &NAMES[list][number]
}

fn item_name(program: &Program, item: usize) -> &'static str {
    match program.items[item].kind {
        Kind::Task => name("task_", item),
        Kind::Hook => name("hook_", item),
        Kind::Resource => name("Resource", item),
    }
}

fn identity(item: usize) -> Identity {
    Identity::new(item as u64, "random", 1, 1)
}

const PLACE: Line = Line { file: "random.rs", line: 1 };

fn member(program: &Program, number: usize) -> MemberSpec {
    let item = &program.items[number];
    MemberSpec {
        identity: identity(number),
        name: item_name(program, number),
        kind: match item.kind {
            Kind::Task => Is::Task,
            Kind::Hook => Is::Hook,
            Kind::Resource => Is::Resource,
        },
        budget: item.budget,
        uses: all(item.uses.iter().map(|each| use_spec(program, *each))),
        orders: all(item.orders.iter().map(|(side, other)| OrderSpec {
            other: identity(*other),
            name: item_name(program, *other),
            direction: match side {
                Side::After => Direction::After,
                Side::Before => Direction::Before,
            },
        })),
        behaviour: Behaviour { at_drain: item.at_drain, ..Behaviour::DEFAULT },
        place: PLACE,
    }
}

fn use_spec(program: &Program, each: Use) -> UseSpec {
    let one = |resource: usize| {
        let named = ResourceName { identity: identity(resource), name: item_name(program, resource) };
        kept(Held::One(kept(named)))
    };
    let (held, how): (&'static Held, _) = match each {
        Use::Lent(resource) => (one(resource), "is lent it"),
        Use::Leased(resource) => (kept(Held::Inside(one(resource), &[])), "takes a lease of it"),
        // A type that says nothing of itself.
        Use::Maybe(resource) => (kept(Held::Inside(&Held::Nothing, all([one(resource)]))), "may hold it"),
        Use::Both(first, second) => (kept(Held::All(all([one(first), one(second)]))), "holds two"),
        Use::Declared(resource) => (one(resource), "declares it"),
    };
    UseSpec { held, how, declared: matches!(each, Use::Declared(_)) }
}

fn plan_spec(
    number: usize,
    plan: &Plan,
    members: &[&'static MemberSpec],
    parts: &[&'static PlanSpec],
) -> &'static PlanSpec {
    let orders: Vec<FieldOrder> = plan.fields.iter().map(field_order).collect();
    let graph = field_graph::solve(&orders);
    let fields = all(plan.fields.iter().enumerate().map(|(at, field)| FieldSpec {
        name: name("phase_", at),
        node: stands(&field.node, members, parts),
        budget: field.budget,
        after: numbers(&graph.after[at]),
        follows: follows(&graph, at),
        declared: orders[at].is_declared(),
        rank: u16::try_from(graph.rank[at]).expect("few fields"),
    }));
    let order = numbers(&graph.order);
    let path = longest_path_from::<FIELDS>(fields, order);
    let total = plan.total;
    kept(PlanSpec {
        name: if total.is_some() { "Service" } else { name("Part", number) },
        part: total.is_none(),
        fields,
        order,
        path: all(path.into_iter().take(fields.len())),
        cycle: all(graph.cycle.iter().map(cycle_step)),
        budget: total.map_or(0, |total| total.budget),
        pre_stop: total.map_or(0, |total| total.pre_stop),
        lame_duck: total.map_or(0, |total| total.lame_duck),
        margin: total.map_or(0, |total| total.margin),
        conduct: Conduct::DEFAULT,
        place: PLACE,
    })
}

fn cycle_step((field, because): &(usize, field_graph::Because)) -> CycleStep {
    CycleStep {
        field: u16::try_from(*field).expect("few fields"),
        because: match because {
            field_graph::Because::Below => Because::Below,
            field_graph::Because::After => Because::After,
            field_graph::Because::Before => Because::Before,
        },
    }
}

fn field_order(field: &Field) -> FieldOrder {
    FieldOrder { after: field.after.clone(), before: field.before.clone() }
}

fn follows(graph: &FieldGraph, field: usize) -> Follows {
    if graph.follows_above(field) {
        Follows::Above
    } else {
        Follows::Just(all(graph.follows[field].words.iter().copied()))
    }
}

fn numbers(numbers: &[usize]) -> &'static [u16] {
    all(numbers.iter().map(|number| u16::try_from(*number).expect("few fields")))
}

fn stands(node: &Node, members: &[&'static MemberSpec], parts: &[&'static PlanSpec]) -> Stands {
    let inner = |node: &Node| stands(node, members, parts);
    match node {
        Node::Nothing => Stands::Empty,
        Node::Item(item) => Stands::Member(members[*item]),
        Node::Tuple(nodes) => Stands::All(all(nodes.iter().map(inner))),
        Node::Optional(node) => Stands::Optional(kept(inner(node))),
        Node::Many(node) => Stands::Many(kept(inner(node))),
        Node::Part(part) => Stands::Part(parts[*part]),
    }
}
