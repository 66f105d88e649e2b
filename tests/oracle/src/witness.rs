//! What the messages show beside the rule: closed paths of orders, and paths with numbers that add up.

use petgraph::algo::has_path_connecting;
use petgraph::graph::NodeIndex;

use crate::model::{Program, Side};
use crate::oracle;

/// A line of a message that is not true of the plan; `None` if all are.
pub fn untrue(program: &Program, plan: usize, text: &str) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let wrong = |at: usize| {
        let line = lines[at];
        let next = lines.get(at + 1).copied().unwrap_or_default();
        if line.starts_with("[order-cycle] the orders of the items") {
            !items_form_cycle(program, next)
        } else if line.starts_with("[order-cycle] the orders of the fields") {
            !fields_form_cycle(program, plan, next)
        } else if line.starts_with("[over-budget]") {
            !total_is_needed(program, plan, next)
        } else if let Some(rest) = line.strip_prefix("[part-over-budget] the part `Part") {
            let part = rest.split('`').next().and_then(|number| number.parse().ok());
            part.is_none_or(|part| {
                let terms: Vec<&str> = next.split(" + ").collect();
                path(program, part, &terms) != Some(oracle::needed(program, part))
            })
        } else {
            false
        }
    };
    let at = (0..lines.len()).find(|at| wrong(*at))?;
    Some(lines[at..].iter().take(2).copied().collect::<Vec<_>>().join("\n"))
}

/// The names in a closed path, with the first one again at its end.
fn closed_path<'a>(line: &'a str, what: &str) -> Option<Vec<&'a str>> {
    let names: Vec<&str> =
        line.strip_suffix(what)?.trim().split(" -> ").map(|name| name.trim_matches('`')).collect();
    (names.len() > 2 && names.first() == names.last()).then_some(names)
}

fn items_form_cycle(program: &Program, line: &str) -> bool {
    let demanded = |earlier: &str, later: &str| {
        program.items.iter().enumerate().any(|(number, item)| {
            let name = program.item_name(number);
            item.orders.iter().any(|(side, other)| match side {
                Side::After => program.item_name(*other) == earlier && name == later,
                Side::Before => name == earlier && program.item_name(*other) == later,
            })
        })
    };
    closed_path(line, "(each before the next)")
        .is_some_and(|names| names.windows(2).all(|pair| demanded(pair[0], pair[1])))
}

fn field(name: &str) -> Option<NodeIndex> {
    name.strip_prefix("phase_")?.parse().ok().map(NodeIndex::new)
}

fn fields_form_cycle(program: &Program, plan: usize, line: &str) -> bool {
    let order = oracle::field_order(&program.plans[plan]);
    let follows = |later: &str, earlier: &str| {
        let edge = field(earlier).zip(field(later));
        edge.is_some_and(|(earlier, later)| order.contains_edge(earlier, later))
    };
    closed_path(line, "(each after the next)")
        .is_some_and(|names| names.windows(2).all(|pair| follows(pair[0], pair[1])))
}

/// `1500ms`, `3s by default` or `10m 43s 661ms`.
fn millis(text: &str) -> Option<u64> {
    let one = |unit: &str| {
        let (number, scale) = match (unit.strip_suffix("ms"), unit.strip_suffix('s')) {
            (Some(number), _) => (number, 1),
            (None, Some(number)) => (number, 1_000),
            (None, None) => match unit.strip_suffix('m') {
                Some(number) => (number, 60_000),
                None => (unit.strip_suffix('h')?, 3_600_000),
            },
        };
        Some(number.parse::<u64>().ok()? * scale)
    };
    text.trim_end_matches(" by default").split(' ').map(one).sum()
}

/// `pre_stop 1s + hook_4 at the drain 2s + phase_0 3s + phase_1 2s + margin 2s = 10s`
fn total_is_needed(program: &Program, plan: usize, line: &str) -> bool {
    let Some(total) = program.plans[plan].total else { return false };
    let drain = oracle::drain(program, plan);
    let expected = [
        ("pre_stop", total.pre_stop),
        ("hook", drain),
        ("lame_duck", total.lame_duck),
        ("margin", total.margin),
    ];
    let Some((sum, shown)) = line.split_once(" = ") else { return false };
    let (others, phases): (Vec<&str>, Vec<&str>) =
        sum.split(" + ").partition(|term| expected.iter().any(|(name, _)| term.starts_with(name)));
    let named = expected.iter().filter(|(name, millis)| *name == "margin" || *millis > 0);
    let listed = named.clone().map(|(name, _)| *name).eq(others.iter().filter_map(|term| first_word(term)));
    let equal = others.iter().filter_map(|term| taken(term)).eq(named.map(|(_, millis)| *millis));
    let needed = oracle::needed(program, plan);
    let all = needed + drain + total.pre_stop + total.lame_duck + total.margin;
    listed && equal && path(program, plan, &phases) == Some(needed) && millis(shown) == Some(all)
}

/// `hook` of `hook_4 at the drain 2s`; of other terms the name.
fn first_word(term: &str) -> Option<&str> {
    let name = term.split(' ').next()?;
    let hook = name.strip_prefix("hook_").is_some() && term.contains(" at the drain ");
    Some(if hook { "hook" } else { name })
}

/// What a term takes.
fn taken(term: &str) -> Option<u64> {
    millis(term.split_once(" at the drain ").or_else(|| term.split_once(' '))?.1)
}

/// The sum of `phase_0 3s` and `phase_1 2s`, if each of them follows the one before it; 0 of none.
fn path(program: &Program, plan: usize, terms: &[&str]) -> Option<u64> {
    let order = oracle::field_order(&program.plans[plan]);
    let (mut sum, mut last) = (0, None);
    for term in terms {
        let (name, taken) = term.split_once(' ')?;
        let this = field(name)?;
        if last.is_some_and(|last| !has_path_connecting(&order, last, this, None)) {
            return None;
        }
        last = Some(this);
        sum += millis(taken)?;
    }
    Some(sum)
}
