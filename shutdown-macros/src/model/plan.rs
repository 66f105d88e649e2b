//! A plan and its fields.

use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::Parser as _;
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, Ident, ItemStruct, Meta, Token, Type};

use crate::diag::{Problem, Problems, list, nearest};
use crate::model::field_graph::{FieldGraph, FieldOrder, solve};
use crate::model::order::Direction;
use crate::names::{ORDER_KEYS, PHASE, PHASE_KEYS, PLAN_KEYS, SHUTDOWN_ORDER};
use crate::parse::arguments::Arguments;
use crate::parse::attributes::{cfgs, is_named, list_tokens, take_field_attributes};
use crate::parse::duration::{Millis, duration};
use crate::parse::{plain, unwrap_type};
use crate::runtime_path::RuntimePath;

/// The numbers of a whole plan.
#[derive(Clone, Debug, Default)]
pub(crate) struct Budgets {
    /// What the platform grants.
    pub(crate) budget: Option<Millis>,
    /// What the `preStop` hook spends of it.
    pub(crate) pre_stop: u64,
    /// The time between readiness off and the first phase.
    pub(crate) lame_duck: u64,
    /// What is kept for joins, report and exit.
    pub(crate) margin: u64,
}

/// A plan, or a part of one.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// The struct without our attributes.
    pub(crate) item: ItemStruct,
    /// Where the runtime is.
    pub(crate) runtime: RuntimePath,
    /// Whether it is a part.
    pub(crate) part: bool,
    /// Its numbers.
    pub(crate) budgets: Budgets,
    /// Its phases.
    pub(crate) fields: Vec<PhaseField>,
    /// The tables, one for each combination of the conditions in `#[cfg_attr]`.
    pub(crate) worlds: Vec<World>,
}

/// One field.
#[derive(Clone, Debug)]
pub(crate) struct PhaseField {
    /// Its name.
    pub(crate) name: Ident,
    /// Its type.
    pub(crate) ty: Type,
    /// Its `#[cfg]`s.
    pub(crate) cfgs: Vec<Attribute>,
}

/// What holds under one combination of conditions.
#[derive(Clone, Debug)]
pub(crate) struct World {
    /// The condition; empty where there is only one world.
    pub(crate) condition: TokenStream,
    /// The order among the fields.
    pub(crate) graph: FieldGraph,
    /// For each field its own order and budget.
    pub(crate) fields: Vec<FieldWords>,
}

/// What is written on a field.
#[derive(Clone, Debug, Default)]
pub(crate) struct FieldWords {
    /// Its order.
    pub(crate) order: FieldOrder,
    /// `#[phase(budget)]`, in milliseconds.
    pub(crate) budget: Option<u64>,
}

/// The least margin, in milliseconds; also the default.
pub(crate) const MARGIN: u64 = 2_000;

impl Plan {
    /// Reads the attribute and the struct.
    pub(crate) fn new(arguments: TokenStream, mut item: ItemStruct, problems: &mut Problems) -> Self {
        let mut arguments = Arguments::parse("shutdown_plan", PLAN_KEYS, arguments, problems);
        let runtime = arguments.take_crate();
        let part = arguments.take_flag("part", problems).is_some();
        let budgets = if part {
            refuse_budgets_of_part(&mut arguments, problems);
            Budgets::default()
        } else {
            read_budgets(&mut arguments, &item.ident, problems)
        };
        let mut fields = Vec::new();
        let mut written = Vec::new();
        for field in &mut item.fields {
            let ours = take_conditional(&mut field.attrs);
            let Some(name) = field.ident.clone() else { continue };
            fields.push(PhaseField { name, ty: field.ty.clone(), cfgs: cfgs(&field.attrs) });
            written.push(ours);
        }
        let worlds = worlds(&fields, &written, problems);
        Self { item, runtime, part, budgets, fields, worlds }
    }
}

fn refuse_budgets_of_part(arguments: &mut Arguments, problems: &mut Problems) {
    for key in ["budget", "pre_stop", "lame_duck", "margin"] {
        if let Some((key, _)) = arguments.take_expr(key, problems) {
            let what = format!("`{key}` on a part: a part has no time of its own");
            let help = if key == "budget" {
                "write `#[phase(budget = ...)]` on the field that holds the part".to_owned()
            } else {
                format!("write `{key}` on the plan that holds the part")
            };
            problems.push(Problem::at(&key, "conflicting-keys", what).help(help));
        }
    }
}

fn read_budgets(arguments: &mut Arguments, name: &Ident, problems: &mut Problems) -> Budgets {
    let budget = match arguments.take_expr("budget", problems) {
        Some((_, value)) => duration("budget", &value, false, problems),
        None => {
            let what = format!("`{}` does not say how much time the platform grants", plain(name));
            let problem = Problem::at(name, "missing-budget", what).help(
                "write `#[shutdown_plan(budget = \"30s\")]` with Kubernetes' `terminationGracePeriodSeconds` or your platform's limit",
            );
            problems.push(problem.note("a plan that stands in a field of another is `#[shutdown_plan(part)]`"));
            None
        }
    };
    let mut zero_or = |key: &str, default: u64, problems: &mut Problems| {
        let read = arguments.take_expr(key, problems).and_then(|(_, value)| duration(key, &value, key != "margin", problems));
        if let Some(millis) = read.as_ref().filter(|millis| key == "margin" && millis.value < MARGIN) {
            let what = "the `margin` is under 2s, too short to join, report and exit";
            problems.push(Problem::at(&millis.written, "small-margin", what).help("write `margin = \"2s\"` or leave it out"));
        }
        read.map_or(default, |millis| millis.value)
    };
    let pre_stop = zero_or("pre_stop", 0, problems);
    let lame_duck = zero_or("lame_duck", 0, problems);
    let margin = zero_or("margin", MARGIN, problems);
    Budgets { budget, pre_stop, lame_duck, margin }
}

/// One of our attributes on a field, with the condition of the `#[cfg_attr]` that it came in.
struct Conditional {
    condition: Option<TokenStream>,
    attribute: Attribute,
}

/// Takes our attributes from a field. A `#[cfg_attr]` on a field reaches the macro as it was written.
fn take_conditional(attributes: &mut Vec<Attribute>) -> Vec<Conditional> {
    let mut found: Vec<Conditional> = take_field_attributes(attributes)
        .into_iter()
        .map(|attribute| Conditional { condition: None, attribute })
        .collect();
    attributes.retain_mut(|attribute| {
        if !attribute.path().is_ident("cfg_attr") {
            return true;
        }
        let metas = Punctuated::<Meta, Token![,]>::parse_terminated.parse2(list_tokens(attribute));
        let Ok(metas) = metas else { return true };
        let mut metas = metas.into_iter();
        let Some(condition) = metas.next() else { return true };
        let mut others = Vec::new();
        for meta in metas {
            let inner: Attribute = syn::parse_quote!(#[#meta]);
            if is_named(&inner, SHUTDOWN_ORDER) || is_named(&inner, PHASE) {
                found.push(Conditional { condition: Some(quote!(#condition)), attribute: inner });
            } else {
                others.push(meta);
            }
        }
        let keep = !others.is_empty();
        *attribute = syn::parse_quote!(#[cfg_attr(#condition, #(#others),*)]);
        keep
    });
    found
}

/// The most different conditions that the fields of one plan may name.
const MOST_CONDITIONS: usize = 4;

fn worlds(fields: &[PhaseField], written: &[Vec<Conditional>], problems: &mut Problems) -> Vec<World> {
    let mut conditions: Vec<String> = Vec::new();
    let mut tokens: Vec<TokenStream> = Vec::new();
    for conditional in written.iter().flatten() {
        let Some(condition) = &conditional.condition else { continue };
        if conditions.contains(&condition.to_string()) {
            continue;
        }
        if conditions.len() == MOST_CONDITIONS {
            let what = format!("the fields of a plan name more than {MOST_CONDITIONS} different conditions");
            let problem = Problem::at(condition, "too-many-conditions", what);
            problems.push(problem.help("give fields that change together one condition, or write two plans"));
            return Vec::new();
        }
        conditions.push(condition.to_string());
        tokens.push(condition.clone());
    }
    let words: Vec<Vec<(Option<usize>, FieldWords)>> = written
        .iter()
        .enumerate()
        .map(|(number, list)| {
            list.iter()
                .map(|conditional| {
                    let condition = conditional.condition.as_ref().map(ToString::to_string);
                    let condition = condition.and_then(|text| conditions.iter().position(|known| *known == text));
                    (condition, read_words(number, &conditional.attribute, fields, problems))
                })
                .collect()
        })
        .collect();
    (0..1_usize << tokens.len()).map(|chosen| world(chosen, &tokens, &words)).collect()
}

fn world(chosen: usize, conditions: &[TokenStream], words: &[Vec<(Option<usize>, FieldWords)>]) -> World {
    let holds = |condition: usize| chosen >> condition & 1 == 1;
    let terms = conditions.iter().enumerate().map(|(number, condition)| {
        if holds(number) { quote!(#condition) } else { quote!(not(#condition)) }
    });
    let condition = if conditions.is_empty() { TokenStream::new() } else { quote!(all(#(#terms),*)) };
    let fields: Vec<FieldWords> = words
        .iter()
        .map(|list| {
            let active = list.iter().filter(|(condition, _)| condition.is_none_or(holds)).map(|(_, words)| words);
            active.fold(FieldWords::default(), merge)
        })
        .collect();
    let orders: Vec<FieldOrder> = fields.iter().map(|field| field.order.clone()).collect();
    World { condition, graph: solve(&orders), fields }
}

fn merge(mut all: FieldWords, more: &FieldWords) -> FieldWords {
    if let Some(after) = &more.order.after {
        all.order.after.get_or_insert_with(Vec::new).extend(after);
    }
    all.order.before.extend(&more.order.before);
    all.budget = more.budget.or(all.budget);
    all
}

fn read_words(number: usize, attribute: &Attribute, fields: &[PhaseField], problems: &mut Problems) -> FieldWords {
    let mut words = FieldWords::default();
    if is_named(attribute, PHASE) {
        let mut arguments = Arguments::parse(PHASE, PHASE_KEYS, list_tokens(attribute), problems);
        let budget: Option<(Ident, Expr)> = arguments.take_expr("budget", problems);
        words.budget =
            budget.and_then(|(_, value)| duration("budget", &value, false, problems)).map(|millis| millis.value);
        return words;
    }
    let mut arguments = Arguments::parse(SHUTDOWN_ORDER, ORDER_KEYS, list_tokens(attribute), problems);
    arguments.take_crate();
    for direction in Direction::BOTH {
        let Some((_, types)) = arguments.take_types(direction.key(), problems) else { continue };
        let named = types.iter().filter_map(|ty| named_field(number, ty, direction, fields, problems));
        let named: Vec<usize> = named.collect();
        match direction {
            Direction::After => words.order.after = Some(named),
            Direction::Before => words.order.before = named,
        }
    }
    let both = words.order.before.iter().find(|field| words.order.after.iter().flatten().any(|after| after == *field));
    if let Some(field) = both.and_then(|field| fields.get(*field)) {
        let what = format!("a field cannot stop both after and before `{}`", plain(&field.name));
        problems.push(Problem::at(attribute, "conflicting-keys", what).help("keep one of the two"));
    }
    words
}

fn named_field(
    number: usize,
    ty: &Type,
    direction: Direction,
    fields: &[PhaseField],
    problems: &mut Problems,
) -> Option<usize> {
    let ident = match unwrap_type(ty) {
        Type::Path(path) => path.path.get_ident(),
        _ => None,
    };
    let place = ident.and_then(|ident| fields.iter().position(|field| field.name == *ident));
    if place == Some(number) {
        let what = format!("the field `{}` cannot stop {} itself", crate::model::text::text(ty), direction.key());
        problems.push(Problem::at(ty, "self-order", what).help("name another field, or remove the order"));
        return None;
    }
    if place.is_none() {
        let names: Vec<String> = fields.iter().map(|field| plain(&field.name)).collect();
        let written = crate::model::text::text(ty);
        let by_type = fields.iter().find(|field| crate::model::text::text(&field.ty) == written);
        let near = by_type.map(|field| plain(&field.name)).or_else(|| nearest(&written, names.iter().map(String::as_str)).map(str::to_owned));
        let help = match near {
            Some(near) => format!("did you mean `{near}`? The fields are {}", list(names.iter().map(String::as_str))),
            None => format!("the fields are {}", list(names.iter().map(String::as_str))),
        };
        let what = format!("the plan has no field `{written}`");
        problems.push(Problem::at(ty, "unknown-phase", what).help(help));
    }
    place
}
