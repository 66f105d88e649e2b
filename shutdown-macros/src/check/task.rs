//! Rules about how a task learns of the stop.

use proc_macro2::TokenStream;
use quote::quote;

use crate::diag::{Problem, Problems};
use crate::model::order::Direction;
use crate::model::task::{FnKind, Stop, Task};
use crate::parse::attributes::{cfgs, list_tokens};

/// Runs them all.
pub(crate) fn check(task: &Task, problems: &mut Problems) {
    if task.kind == FnKind::Task {
        blind_task(task, problems);
        input_without_feeder(task, problems);
    }
}

/// A task that is neither periodic nor sees the stop runs until it is aborted.
fn blind_task(task: &Task, problems: &mut Problems) {
    let watches = match task.stop {
        Some((_, Stop::Drop | Stop::Input)) => true,
        Some((_, Stop::Signal)) | None => false,
    };
    // What `Shutdown`s there are may all be compiled out.
    let absent: Vec<_> = task.shutdowns().map(|parameter| absent(&parameter.cfgs)).collect();
    if watches || task.every.is_some() || absent.iter().any(Option::is_none) {
        return;
    }
    let name = task.shown();
    let what = format!("`{name}` cannot learn of the stop: it would run until it is aborted");
    let problem = Problem::at(task.name(), "blind-task", what)
        .help(format!("take `shutdown: Shutdown` (that very name, not an alias) and watch it: `{name}(.., shutdown: Shutdown)`"))
        .help("or make it periodic with `every = \"1s\"`: the body is then one iteration")
        .help("or say `stop = \"drop\"` where it has nothing to lose, or `stop = \"input\"` where its channel closes");
    let cfgs = cfgs(&task.item.attributes);
    let present = cfgs.iter().map(list_tokens);
    problems.push(if absent.is_empty() {
        problem
    } else {
        problem.only_where(quote!(all(#(#present,)* #(#absent),*)))
    });
}

/// The `cfg` predicate under which a parameter is not there; `None` where it always is.
fn absent(cfgs: &[syn::Attribute]) -> Option<TokenStream> {
    let present = cfgs.iter().map(list_tokens);
    (!cfgs.is_empty()).then(|| quote!(not(all(#(#present),*))))
}

/// "Ends once its feeder has gone" needs to say who that is, or nothing guarantees that it goes first.
fn input_without_feeder(task: &Task, problems: &mut Problems) {
    let Some((key, Stop::Input)) = &task.stop else { return };
    // With `every` it is the wrong key in any case.
    if task.every.is_none() && !task.orders.iter().any(|order| order.direction == Direction::After) {
        let what = format!("`{}` ends with its input, but does not say who feeds it", task.shown());
        let help = "add `#[shutdown_order(after = feeder)]` below this attribute, with the task that holds the sending side";
        problems.push(Problem::at(key, "input-without-feeder", what).help(help));
    }
}
