//! The rules over small tables written by hand, with the texts word for word: what random plans do not look at.

mod budgets;
mod orders;
mod rendered;
mod tables;
mod uses;

use super::{
    Behaviour, Conduct, Direction, FieldSpec, Follows, Held, Identity, Kind, MemberSpec, Node, OrderSpec,
    Place, PlanSpec, ResourceName, Solved, UseSpec, check, solve,
};

fn leak<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

/// An item; its number is its identity and its line.
fn item(number: u32, name: &'static str, kind: Kind) -> MemberSpec {
    MemberSpec {
        identity: Identity::new(u64::from(number), "", 0, 0),
        name,
        kind,
        budget: None,
        uses: &[],
        orders: &[],
        behaviour: Behaviour::DEFAULT,
        place: Place { file: "src/main.rs", line: number },
    }
}

fn one(resource: &MemberSpec) -> &'static Held {
    leak(Held::One(leak(ResourceName { identity: resource.identity, name: resource.name })))
}

/// A task that holds these.
fn holder(number: u32, name: &'static str, held: Vec<&'static Held>) -> MemberSpec {
    let uses = held.into_iter().map(|held| UseSpec { held, how: "takes it", declared: false }).collect();
    MemberSpec { uses: Vec::leak(uses), ..item(number, name, Kind::Task) }
}

fn order(direction: Direction, other: &MemberSpec) -> OrderSpec {
    OrderSpec { other: other.identity, name: other.name, direction }
}

fn field(number: usize, name: &'static str, members: Vec<MemberSpec>) -> FieldSpec {
    let nodes = members.into_iter().map(|member| Node::Member(leak(member))).collect::<Vec<_>>();
    let before = number.checked_sub(1).map(|before| u16::try_from(before).unwrap());
    FieldSpec {
        name,
        node: Node::All(Vec::leak(nodes)),
        budget: None,
        after: Vec::leak(before.into_iter().collect()),
        follows: Follows::Above,
        declared: false,
        rank: u16::try_from(number + 1).unwrap(),
    }
}

/// A plan whose fields stop from top to bottom.
fn sequence(fields: Vec<(&'static str, Vec<MemberSpec>)>) -> PlanSpec {
    let fields: Vec<_> = fields
        .into_iter()
        .enumerate()
        .map(|(number, (name, members))| field(number, name, members))
        .collect();
    let budgets: Vec<_> = fields.iter().map(super::time::phase_budget).collect();
    PlanSpec {
        name: "Service",
        part: false,
        order: Vec::leak((0..u16::try_from(fields.len()).unwrap()).collect()),
        path: Vec::leak((0..budgets.len()).map(|at| budgets[at..].iter().sum()).collect()),
        fields: Vec::leak(fields),
        cycle: &[],
        budget: 600_000,
        pre_stop: 0,
        lame_duck: 0,
        margin: PlanSpec::MARGIN,
        conduct: Conduct::DEFAULT,
        place: Place { file: "src/main.rs", line: 1 },
    }
}

fn solved(plan: PlanSpec) -> Solved<16, 32, 8> {
    solve(leak(plan))
}

fn texts(plan: PlanSpec) -> Vec<String> {
    check(&solved(plan))
}
