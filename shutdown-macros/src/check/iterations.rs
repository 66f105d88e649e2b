//! Rules about keys that contradict what makes a task periodic, and keys that only a periodic one can have.

use quote::ToTokens as _;
use syn::Ident;

use crate::diag::{Problem, Problems};
use crate::model::task::{Stop, Task};

/// Runs them all.
pub(crate) fn check(task: &Task, problems: &mut Problems) {
    if task.every.is_some() {
        periodic(task, problems);
    } else {
        ends_once(task, problems);
    }
}

fn periodic(task: &Task, problems: &mut Problems) {
    if let Some((key, Stop::Input)) = &task.stop {
        let what =
            "`stop = \"input\"` with `every`: a periodic task ends between iterations, not with its input";
        one_of_two(key, what, problems);
    }
    if let Some((key, _)) = &task.on_exit {
        let what =
            format!("`{}` with `every`: a periodic task does not end by itself", key.to_token_stream());
        one_of_two(key, &what, problems);
    }
    if let (Some((_, Stop::Drop)), Some(key)) = (&task.stop, &task.iterations.last) {
        let what =
            "`last` with `stop = \"drop\"`: what is dropped when it is told to stop runs no last iteration";
        one_of_two(key, what, problems);
    }
    if let Some((key, _)) = &task.iterations.fail_after {
        errors_in_a_row(task, key, problems);
    }
}

/// Without errors, or with the first being the last, there are never several in a row.
fn errors_in_a_row(task: &Task, key: &Ident, problems: &mut Problems) {
    if task.never_fails() {
        let what = format!("`fail_after` on `{}`, which returns no `Result`: it never fails", task.shown());
        problems.push(
            Problem::at(key, "conflicting-keys", what)
                .help("remove `fail_after`")
                .help("or return the error of an iteration: `-> Result<(), E>`"),
        );
    } else if task.logs_errors == Some(false) {
        let what = "`fail_after` with `on_error = \"shutdown\"`: there the first error starts the shutdown";
        one_of_two(key, what, problems);
    }
}

fn ends_once(task: &Task, problems: &mut Problems) {
    let keys = &task.iterations;
    if let Some(key) = &keys.last {
        let what = "`last` without `every`: only a periodic task has a last iteration";
        not_periodic(key, what, problems);
    }
    if let Some((key, _)) = &keys.fail_after {
        let what = "`fail_after` without `every`: only a periodic task goes on after an error";
        not_periodic(key, what, problems);
    }
}

fn one_of_two(key: &Ident, what: &str, problems: &mut Problems) {
    problems.push(Problem::at(key, "conflicting-keys", what).help("remove one of the two keys"));
}

fn not_periodic(key: &Ident, what: &str, problems: &mut Problems) {
    problems.push(
        Problem::at(key, "conflicting-keys", what)
            .help(format!("remove `{key}`"))
            .help("or make the task periodic, such as `every = \"1s\"`: the body is then one iteration"),
    );
}
