//! What is written on a plan's fields, under each combination of the conditions in their `#[cfg_attr]`s.

use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::Parser as _;
use syn::punctuated::Punctuated;
use syn::{Attribute, Meta, Token};

use crate::diag::{Problem, Problems};
use crate::model::field_graph::{FieldGraph, FieldOrder, solve};
use crate::model::plan::{PhaseField, read_words};
use crate::names::{PHASE, SHUTDOWN_ORDER};
use crate::parse::attributes::{is_named, list_tokens, take_field_attributes};

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

/// One of our attributes on a field, with the condition of the `#[cfg_attr]` that it came in.
pub(crate) struct Conditional {
    condition: Option<TokenStream>,
    attribute: Attribute,
}

/// Takes our attributes from a field. A `#[cfg_attr]` on a field reaches the macro as it was written.
pub(crate) fn take_conditional(attributes: &mut Vec<Attribute>) -> Vec<Conditional> {
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

/// The most different conditions that the fields of one plan may name, and that a tuple struct's may have.
pub(crate) const MOST_CONDITIONS: usize = 4;

pub(crate) fn worlds(
    fields: &[PhaseField],
    written: &[Vec<Conditional>],
    problems: &mut Problems,
) -> Vec<World> {
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
            refuse_second_phase(list, problems);
            list.iter()
                .map(|conditional| {
                    let condition = conditional.condition.as_ref().map(ToString::to_string);
                    let condition =
                        condition.and_then(|text| conditions.iter().position(|known| *known == text));
                    (condition, read_words(number, &conditional.attribute, fields, problems))
                })
                .collect()
        })
        .collect();
    (0..1_usize << tokens.len()).map(|chosen| world(chosen, &tokens, &words)).collect()
}

/// One of two budgets would be ignored.
fn refuse_second_phase(written: &[Conditional], problems: &mut Problems) {
    let phases = written.iter().filter(|one| one.condition.is_none() && is_named(&one.attribute, PHASE));
    for second in phases.skip(1) {
        let what = "`#[phase]` stands twice on this field";
        problems.push(Problem::at(&second.attribute, "duplicate-key", what).help("keep one of the two"));
    }
}

fn world(chosen: usize, conditions: &[TokenStream], words: &[Vec<(Option<usize>, FieldWords)>]) -> World {
    let holds = |condition: usize| chosen >> condition & 1 == 1;
    let terms = conditions
        .iter()
        .enumerate()
        .map(|(number, condition)| if holds(number) { quote!(#condition) } else { quote!(not(#condition)) });
    let condition = if conditions.is_empty() { TokenStream::new() } else { quote!(all(#(#terms),*)) };
    let fields: Vec<FieldWords> = words
        .iter()
        .map(|list| {
            let active =
                list.iter().filter(|(condition, _)| condition.is_none_or(holds)).map(|(_, words)| words);
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
