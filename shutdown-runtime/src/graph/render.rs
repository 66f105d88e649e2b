//! The plan as people read it: text, Mermaid, Graphviz, JSON and a Kubernetes fragment.

use std::fmt::{self, Write as _};

use super::spec::{Direction, FieldSpec, Held, Kind, MemberSpec, Node, PlanSpec};
use super::time;
use super::unit::Unit;

/// A plan's graph, for printing. `Display` gives the text form.
#[derive(Clone, Copy, Debug)]
pub struct Graph {
    plan: &'static PlanSpec,
}

/// A member as it stands in a field, with the budget that holds there.
struct Placed {
    member: &'static MemberSpec,
    budget: u64,
    many: &'static str,
    part: &'static str,
}

fn placed(field: &FieldSpec) -> Vec<Placed> {
    let mut members = Vec::new();
    place(&field.node, field.budget, "", "", &mut members);
    members
}

fn place(node: &Node, phase: Option<u64>, many: &'static str, part: &'static str, members: &mut Vec<Placed>) {
    match node {
        Node::Empty => {}
        Node::Member(member) => {
            members.push(Placed { member, budget: time::millis(member, phase), many, part });
        }
        Node::Optional(inner) => place(inner, phase, "optional ", part, members),
        Node::Many(inner) => place(inner, phase, "several ", part, members),
        Node::All(nodes) => nodes.iter().for_each(|node| place(node, phase, many, part, members)),
        Node::Part(inner) => {
            for field in inner.fields {
                place(&field.node, field.budget, many, inner.name, members);
            }
        }
    }
}

impl Placed {
    /// "relay (10s, unit 5s)", as the drawings show it.
    fn label(&self) -> String {
        format!(
            "{} ({}{}{})",
            self.member.name,
            duration(self.budget),
            unit(self.member),
            at_drain(self.member)
        )
    }
}

/// ", at the drain" of a hook that does not wait for its phase.
fn at_drain(member: &MemberSpec) -> &'static str {
    if member.behaviour.at_drain { ", at the drain" } else { "" }
}

/// ", unit 5s", or ", unit 50 x 100ms = 5s" of a batch; nothing where none is declared.
fn unit(member: &MemberSpec) -> String {
    match member.behaviour.unit {
        None => String::new(),
        Some(Unit::Whole(millis)) => format!(", unit {}", duration(millis)),
        Some(unit @ Unit::Batch { items, per_item }) => {
            format!(", unit {items} x {} = {}", duration(per_item), duration(unit.millis()))
        }
    }
}

fn held_names(held: &'static Held, names: &mut Vec<&'static str>) {
    match held {
        Held::Nothing => {}
        Held::One(resource) => names.push(resource.name),
        Held::All(_) | Held::Inside(..) => held.parts().iter().for_each(|part| held_names(part, names)),
    }
}

fn used(member: &MemberSpec) -> Vec<&'static str> {
    let mut names = Vec::new();
    member.uses.iter().for_each(|each| held_names(each.held, &mut names));
    names.dedup();
    names
}

/// A duration in milliseconds as users write it.
fn duration(millis: u64) -> String {
    if millis % 1_000 == 0 { format!("{}s", millis / 1_000) } else { format!("{millis}ms") }
}

impl Graph {
    /// The graph of a plan.
    pub const fn new(plan: &'static PlanSpec) -> Self {
        Self { plan }
    }

    /// Phases in the order of their stop, with members, budgets and edges, the longest path and what is left.
    pub fn text(&self) -> String {
        self.to_string()
    }

    fn field_orders(self, field: &FieldSpec) -> String {
        if field.after.is_empty() {
            return String::from("first");
        }
        let names: Vec<_> = field.after.iter().map(|at| self.plan.fields[usize::from(*at)].name).collect();
        let why = if field.declared { "declared order" } else { "field order" };
        format!("after {} ({why})", names.join(", "))
    }

    /// A Mermaid flowchart: an arrow points to what stops later, a dotted one to what is used.
    pub fn mermaid(&self) -> String {
        let mut out = String::from("flowchart TD\n");
        for (at, field) in self.plan.fields.iter().enumerate() {
            let members: Vec<_> = placed(field).iter().map(Placed::label).collect();
            let _ = writeln!(out, "    p{at}[\"{}: {}\"]", field.name, members.join(", "));
        }
        for (at, field) in self.plan.fields.iter().enumerate() {
            for earlier in field.after {
                let _ = writeln!(out, "    p{earlier} --> p{at}");
            }
        }
        for (at, to, label) in self.use_edges() {
            let _ = writeln!(out, "    p{at} -. \"{label}\" .-> p{to}");
        }
        out
    }

    /// A Graphviz digraph.
    pub fn dot(&self) -> String {
        let mut out = format!("digraph {} {{\n    rankdir = TB;\n", self.plan.name);
        for (at, field) in self.plan.fields.iter().enumerate() {
            let members: Vec<_> = placed(field).iter().map(Placed::label).collect();
            let _ = writeln!(
                out,
                "    p{at} [shape = box, label = \"{}\\n{}\"];",
                field.name,
                members.join("\\n")
            );
        }
        for (at, field) in self.plan.fields.iter().enumerate() {
            for earlier in field.after {
                let _ = writeln!(out, "    p{earlier} -> p{at};");
            }
        }
        for (at, to, label) in self.use_edges() {
            let _ = writeln!(out, "    p{at} -> p{to} [style = dotted, label = \"{label}\"];");
        }
        out.push_str("}\n");
        out
    }

    /// (user's field, resource's field, "relay uses Db") for every use within the plan.
    fn use_edges(self) -> Vec<(usize, usize, String)> {
        let mut edges = Vec::new();
        for (at, field) in self.plan.fields.iter().enumerate() {
            for user in placed(field) {
                for resource in used(user.member) {
                    let home = self.plan.fields.iter().position(|field| {
                        placed(field).iter().any(|placed| {
                            placed.member.kind == Kind::Resource && placed.member.name == resource
                        })
                    });
                    if let Some(to) = home {
                        edges.push((at, to, format!("{} uses {resource}", user.member.name)));
                    }
                }
            }
        }
        edges
    }

    /// A JSON document with phases, members, budgets, edges and the arithmetic. Durations are in milliseconds.
    pub fn json(&self) -> String {
        let plan = self.plan;
        let mut out = String::new();
        let _ = write!(
            out,
            "{{\"plan\":{},\"budget_ms\":{},\"pre_stop_ms\":{},\"at_drain_ms\":{},\"lame_duck_ms\":{},\"margin_ms\":{},\"longest_path_ms\":{},\"phases\":[",
            quoted(plan.name),
            plan.budget,
            plan.pre_stop,
            time::drain_hooks(plan),
            plan.lame_duck,
            plan.margin,
            time::needed(plan),
        );
        for (at, field) in plan.fields.iter().enumerate() {
            if at > 0 {
                out.push(',');
            }
            let after: Vec<_> =
                field.after.iter().map(|earlier| quoted(plan.fields[usize::from(*earlier)].name)).collect();
            let members: Vec<_> = placed(field).iter().map(json_member).collect();
            let _ = write!(
                out,
                "{{\"name\":{},\"budget_ms\":{},\"after\":[{}],\"why\":{},\"members\":[{}]}}",
                quoted(field.name),
                time::phase_budget(field),
                after.join(","),
                quoted(if field.declared { "declared order" } else { "field order" }),
                members.join(","),
            );
        }
        out.push_str("]}\n");
        out
    }

    /// What the plan asks of a Deployment: the grace period and the `preStop` hook; the probes as a comment, since the plan
    /// does not know whether the service answers any.
    pub fn kubernetes(&self) -> String {
        let mut out = String::new();
        let grace = self.plan.budget.div_ceil(1_000);
        let _ = writeln!(out, "# what the plan `{}` asks of its Deployment", self.plan.name);
        let _ = writeln!(out, "spec:\n  template:\n    spec:\n      terminationGracePeriodSeconds: {grace}");
        out.push_str("      containers:\n        - name: service\n");
        if self.plan.pre_stop > 0 {
            let seconds = self.plan.pre_stop.div_ceil(1_000);
            let _ = writeln!(
                out,
                "          lifecycle:\n            preStop:\n              sleep:\n                seconds: {seconds}"
            );
        }
        out.push_str(
            "          # where the service answers probes, as with an admin server in its last phase:\n",
        );
        for (probe, path) in [("livenessProbe", "/livez"), ("readinessProbe", "/readyz")] {
            let _ = writeln!(out, "          # {probe}: {{ httpGet: {{ path: {path}, port: admin }} }}");
        }
        out
    }
}

fn json_member(placed: &Placed) -> String {
    let uses: Vec<_> = used(placed.member).into_iter().map(quoted).collect();
    let orders: Vec<_> = placed.member.orders.iter().map(|order| quoted(order.name)).collect();
    format!(
        "{{\"name\":{},\"kind\":{},\"budget_ms\":{},\"unit_ms\":{},\"at_drain\":{},\"part\":{},\"uses\":[{}],\"declared_orders\":[{}]}}",
        quoted(placed.member.name),
        quoted(placed.member.kind.name()),
        placed.budget,
        placed.member.behaviour.unit.map_or_else(|| String::from("null"), |unit| unit.millis().to_string()),
        placed.member.behaviour.at_drain,
        if placed.part.is_empty() { String::from("null") } else { quoted(placed.part) },
        uses.join(","),
        orders.join(","),
    )
}

/// A JSON string. Names are Rust paths, so only quotes and backslashes could need an escape.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

impl fmt::Display for Graph {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plan = self.plan;
        writeln!(out, "{}: stops from top to bottom", plan.name)?;
        let mut fields: Vec<_> = plan.fields.iter().collect();
        fields.sort_by_key(|field| field.rank);
        for field in fields {
            let (name, budget) = (field.name, duration(time::phase_budget(field)));
            writeln!(out, "  {:>2}. {name:<16} {budget:>6}  {}", field.rank, self.field_orders(field))?;
            for placed in placed(field) {
                let (budget, unit) = (duration(placed.budget), unit(placed.member));
                write!(
                    out,
                    "        {}{} `{}` {budget}{unit}{}",
                    placed.many,
                    placed.member.kind.name(),
                    placed.member.name,
                    at_drain(placed.member)
                )?;
                if !placed.part.is_empty() {
                    write!(out, ", part `{}`", placed.part)?;
                }
                let uses = used(placed.member);
                if !uses.is_empty() {
                    write!(out, ", uses {}", uses.join(", "))?;
                }
                for order in placed.member.orders {
                    let side = match order.direction {
                        Direction::After => "after",
                        Direction::Before => "before",
                    };
                    write!(out, ", declared {side} {}", order.name)?;
                }
                writeln!(out)?;
            }
        }
        if plan.part {
            return writeln!(out, "longest path {}", duration(time::needed(plan)));
        }
        let (path, total) = (time::needed(plan), time::total(plan));
        let at_drain = match time::drain_hooks(plan) {
            0 => String::new(),
            millis => format!("at the drain {} + ", duration(millis)),
        };
        writeln!(
            out,
            "pre_stop {} + {at_drain}lame_duck {} + longest path {} + margin {} = {} of {}, {} left",
            duration(plan.pre_stop),
            duration(plan.lame_duck),
            duration(path),
            duration(plan.margin),
            duration(total),
            duration(plan.budget),
            duration(plan.budget.saturating_sub(total)),
        )
    }
}
