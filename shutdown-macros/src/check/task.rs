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
        if !blind_task(task, problems) {
            never_ready(task, problems);
        }
        input_without_feeder(task, problems);
    } else {
        first_and_after(task, problems);
    }
}

/// A task that is neither periodic nor sees the stop runs until it is aborted.
fn blind_task(task: &Task, problems: &mut Problems) -> bool {
    let watches = match task.stop {
        Some((_, Stop::Drop | Stop::Input)) => true,
        Some((_, Stop::Signal)) | None => false,
    };
    // What `Shutdown`s there are may all be compiled out.
    let absent: Vec<_> = task.shutdowns().map(|parameter| absent(&parameter.cfgs)).collect();
    if watches || task.every.is_some() || absent.iter().any(Option::is_none) {
        return false;
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
    true
}

/// To say that it is ready, it needs what it can say that to.
fn never_ready(task: &Task, problems: &mut Problems) {
    let Some(ready) = &task.ready else { return };
    if task.shutdown().is_none() {
        let name = task.shown();
        let what = format!("`ready = \"explicit\"`, and `{name}` has no `Shutdown` to say that it is ready");
        let problem = Problem::at(&ready.key, "conflicting-keys", what);
        problems.push(
            problem
                .help("take `shutdown: Shutdown`, and call `shutdown.ready()` once it is")
                .help("or remove `ready`: it then counts as started when it is spawned"),
        );
    }
}

/// The `cfg` predicate under which a parameter is not there; `None` where it always is.
fn absent(cfgs: &[syn::Attribute]) -> Option<TokenStream> {
    let present = cfgs.iter().map(list_tokens);
    (!cfgs.is_empty()).then(|| quote!(not(all(#(#present),*))))
}

/// What runs in the first instant of a stop runs after nothing.
fn first_and_after(hook: &Task, problems: &mut Problems) {
    let Some(key) = &hook.at_drain else { return };
    if let Some(order) = hook.orders.iter().find(|order| order.direction == Direction::After) {
        let what = format!(
            "`at = \"drain\"` with `#[shutdown_order(after = {})]`: at the drain it runs before all that stops",
            order.name
        );
        let problem = Problem::at(key, "conflicting-keys", what);
        problems.push(problem.help("remove one of the two: without `at` it runs when its phase is reached"));
    }
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
