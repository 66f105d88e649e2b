//! A program as Rust source.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::model::{Field, Item, Kind, Node, Plan, Program, Side, Use};
use crate::verdict::Place;

/// A program's text, and what stands on which of its lines.
#[derive(Clone, Debug)]
pub struct Source {
    /// The text.
    pub text: String,
    /// For each line, from 1, on which a field or a plan's budget is written: the plan, and which of them.
    pub places: BTreeMap<usize, (usize, Place)>,
}

/// Writes a program down as its author would have.
pub fn source(program: &Program) -> Source {
    let mut text = String::from(
        "#![allow(dead_code, unused_imports, unused_variables)]\n\
         use shutdown_runtime::{Lease, Resource, Shutdown, background_task, resource, shutdown_hook, \
         shutdown_order, shutdown_plan};\n\n",
    );
    for number in 0..program.items.len() {
        text.push_str(&item(program, number));
    }
    let mut places = BTreeMap::new();
    for (number, plan) in program.plans.iter().enumerate() {
        places.insert(next_line(&text), (number, Place::Budget));
        let _ = writeln!(text, "#[shutdown_plan({})]\nstruct {} {{", total(plan), program.plan_name(number));
        for (at, each) in plan.fields.iter().enumerate() {
            text.push_str(&attributes(each));
            places.insert(next_line(&text), (number, Place::Field(at)));
            let _ = writeln!(text, "    phase_{at}: {},", ty(program, &each.node));
        }
        text.push_str("}\n\n");
    }
    text.push_str("fn main() {}\n");
    Source { text, places }
}

fn next_line(text: &str) -> usize {
    text.lines().count() + 1
}

fn item(program: &Program, number: usize) -> String {
    let item = &program.items[number];
    let name = program.item_name(number);
    let orders = orders(program, item);
    let (above, below) = if number % 2 == 0 { (orders.as_str(), "") } else { ("", orders.as_str()) };
    let keys = keys(program, item, &name);
    match item.kind {
        Kind::Task => {
            let parameters = parameters(program, item);
            format!(
                "{above}#[background_task({keys})]\n{below}async fn {name}({parameters}shutdown: Shutdown) {{\n    \
                 shutdown.requested().await;\n}}\n\n"
            )
        }
        Kind::Hook => {
            let parameters = parameters(program, item);
            format!("{above}#[shutdown_hook({keys})]\n{below}async fn {name}({parameters}) {{}}\n\n")
        }
        Kind::Resource => {
            let fields = parameters(program, item);
            format!("{above}#[resource({keys})]\n{below}struct {name} {{ {fields} }}\n\n")
        }
    }
}

/// What stands between the parentheses of an item's attribute.
fn keys(program: &Program, item: &Item, name: &str) -> String {
    let mut keys = Vec::new();
    if item.kind == Kind::Resource {
        keys.push(format!("close = async |_: &{name}| ()"));
    }
    keys.extend(item.at_drain.then(|| "at = \"drain\"".to_owned()));
    keys.extend(item.budget.map(|budget| format!("budget = {}", duration(budget))));
    let declared = item.uses.iter().filter_map(|each| match each {
        Use::Declared(resource) => Some(program.item_name(*resource)),
        _ => None,
    });
    let declared: Vec<_> = declared.collect();
    if !declared.is_empty() {
        keys.push(format!("uses({})", declared.join(", ")));
    }
    keys.join(", ")
}

/// The parameters of a function, or the fields of a struct.
fn parameters(program: &Program, item: &Item) -> String {
    let name = |resource: &usize| program.item_name(*resource);
    let types = item.uses.iter().filter_map(|each| match each {
        Use::Lent(one) => Some(format!("&{}", name(one))),
        Use::Leased(one) => Some(format!("Lease<{}>", name(one))),
        Use::Maybe(one) => Some(format!("Option<Lease<{}>>", name(one))),
        Use::Both(one, other) => Some(format!("(Lease<{}>, Lease<{}>)", name(one), name(other))),
        Use::Declared(_) => None,
    });
    types.enumerate().fold(String::new(), |mut text, (at, ty)| {
        let _ = write!(text, "held_{at}: {ty}, ");
        text
    })
}

fn orders(program: &Program, item: &Item) -> String {
    item.orders.iter().fold(String::new(), |mut text, (side, other)| {
        let side = match side {
            Side::After => "after",
            Side::Before => "before",
        };
        let _ = writeln!(text, "#[shutdown_order({side} = {})]", program.item_name(*other));
        text
    })
}

fn total(plan: &Plan) -> String {
    let Some(total) = plan.total else { return "part".to_owned() };
    let mut keys = format!("budget = {}", duration(total.budget));
    let others =
        [("pre_stop", total.pre_stop, 0), ("lame_duck", total.lame_duck, 0), ("margin", total.margin, 2_000)];
    for (key, value, default) in others {
        if value != default {
            let _ = write!(keys, ", {key} = {}", duration(value));
        }
    }
    keys
}

fn attributes(field: &Field) -> String {
    let mut text = String::new();
    if let Some(budget) = field.budget {
        let _ = writeln!(text, "    #[phase(budget = {})]", duration(budget));
    }
    let list = |fields: &[usize]| {
        let names: Vec<_> = fields.iter().map(|field| format!("phase_{field}")).collect();
        format!("[{}]", names.join(", "))
    };
    let after = field.after.as_ref().map(|fields| format!("after = {}", list(fields)));
    let before = (!field.before.is_empty()).then(|| format!("before = {}", list(&field.before)));
    let keys: Vec<_> = after.into_iter().chain(before).collect();
    if !keys.is_empty() {
        let _ = writeln!(text, "    #[shutdown_order({})]", keys.join(", "));
    }
    if matches!(field.node, Node::Nothing) {
        text.push_str("    #[cfg(any())]\n");
    }
    text
}

fn ty(program: &Program, node: &Node) -> String {
    match node {
        Node::Nothing => "()".to_owned(),
        Node::Item(item) => match program.items[*item].kind {
            Kind::Task | Kind::Hook => program.item_name(*item),
            Kind::Resource => format!("Resource<{}>", program.item_name(*item)),
        },
        Node::Tuple(nodes) => {
            let types: Vec<_> = nodes.iter().map(|node| ty(program, node)).collect();
            format!("({})", types.join(", "))
        }
        Node::Optional(inner) => format!("Option<{}>", ty(program, inner)),
        Node::Many(inner) => format!("Vec<{}>", ty(program, inner)),
        Node::Part(part) => program.plan_name(*part),
    }
}

/// `"1m 30s"`, `"5s"`, `"1500ms"`.
fn duration(millis: u64) -> String {
    let (minutes, seconds) = (millis / 60_000, millis % 60_000 / 1_000);
    match (millis % 1_000, minutes, seconds) {
        (0, 0, _) => format!("\"{seconds}s\""),
        (0, _, 0) => format!("\"{minutes}m\""),
        (0, ..) => format!("\"{minutes}m {seconds}s\""),
        _ => format!("\"{millis}ms\""),
    }
}
