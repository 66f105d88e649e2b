//! Rules, as their ids and the text that they underline; and that the item survives whatever is wrong with it.

mod expansion;
mod field_orders;
mod follow_ups;
mod fuzz;
mod manifests;
mod orders;
mod plans;
mod structs;
mod tasks;
mod units;

use proc_macro2::TokenStream;

use crate::model::task::FnKind;
use crate::pipeline::{self, Outcome};

/// The macros under test.
#[derive(Clone, Copy, Debug)]
enum Macro {
    Task,
    Hook,
    Resource,
    Plan,
    Main,
    Order,
    Uses,
}

fn tokens(source: &str) -> TokenStream {
    source.parse().expect("the test's source has balanced brackets")
}

fn run(of: Macro, arguments: &str, item: &str) -> Outcome {
    let (arguments, item) = (tokens(arguments), tokens(item));
    match of {
        Macro::Task => pipeline::task(FnKind::Task, arguments, item),
        Macro::Hook => pipeline::task(FnKind::Hook, arguments, item),
        Macro::Resource => pipeline::resource(arguments, item),
        Macro::Plan => pipeline::plan(arguments, item),
        Macro::Main => pipeline::entry(arguments, item),
        Macro::Order => pipeline::order(&arguments, item),
        Macro::Uses => pipeline::derive_uses(&item),
    }
}

/// What was found, as `id: underlined text`.
fn problems(of: Macro, arguments: &str, item: &str) -> Vec<String> {
    let outcome = run(of, arguments, item);
    let found = outcome.problems.found().iter().map(|problem| {
        let (id, text) = problem.underlined();
        format!("{id}: {text}")
    });
    found.collect()
}

#[track_caller]
fn refused(of: Macro, arguments: &str, item: &str, expected: &[&str]) {
    assert_eq!(problems(of, arguments, item), expected);
    let outcome = run(of, arguments, item);
    let all = outcome.into_tokens();
    assert!(
        syn::parse2::<syn::File>(all.clone()).is_ok() || syn::parse2::<syn::File>(tokens(item)).is_err(),
        "{all}"
    );
}

#[track_caller]
fn accepted(of: Macro, arguments: &str, item: &str) {
    assert_eq!(problems(of, arguments, item), Vec::<String>::new());
    let all = run(of, arguments, item).into_tokens();
    if let Err(error) = syn::parse2::<syn::File>(all.clone()) {
        panic!("{error}: {all}");
    }
}
