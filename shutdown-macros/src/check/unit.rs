//! The rule that a unit of work fits the budget of its task (`R-SHUT-OBS-1`).

use crate::diag::{Problem, Problems};
use crate::model::task::Task;
use crate::parse::duration::{LONGEST, UNKNOWN, as_written};

/// A stop lets the unit at hand finish, within the budget: one that may take longer would be aborted in its middle.
///
/// Only a written budget is compared here. Without one the task's phase decides what it gets, the default of ten seconds
/// or `#[phase(budget)]`, and no item sees its plan: the graph then compares, at the field. So a unit of 12 s in a phase
/// that grants 15 s compiles, and in one that grants 10 s, or says nothing, it does not.
pub(crate) fn check(task: &Task, problems: &mut Problems) {
    let Some(unit) = &task.unit else { return };
    let (budget, granted) = match task.budget {
        // Refused already.
        Some(UNKNOWN) => return,
        Some(budget) => (budget, format!("its budget is {}", as_written(budget.into()))),
        None => (LONGEST, "no budget is longer than a hundred years".to_owned()),
    };
    // The iteration at hand may just have begun when the stop comes, and then the last one follows.
    let (times, and) =
        if task.iterations.last.is_some() { (2u64, ", the last one as long again") } else { (1, "") };
    let needed = unit.millis() * u128::from(times);
    if needed <= u128::from(budget) {
        return;
    }
    let (name, takes, needed) = (task.shown(), as_written(unit.millis()), as_written(needed));
    // What each of them may take.
    let budget = budget / times;
    let problem = match &unit.batch {
        None => {
            let fits = as_written(budget.into());
            let what = format!("one unit of `{name}` may take {takes}{and}, and {granted}");
            Problem::at(&unit.time.written, "unit-over-budget", what)
                .help(format!("split the work until `unit = \"{fits}\"` or less is true"))
                .help(format!("or write `budget = \"{needed}\"`, if the plan has the time"))
        }
        Some(batch) => {
            let (items, per_item) = (batch.items, as_written(unit.time.value.into()));
            let what =
                format!("one batch of `{name}` may take {items} x {per_item} = {takes}{and}, and {granted}");
            // Where not even one item fits, no smaller batch does.
            let change = if unit.time.value > budget { &unit.time.written } else { &batch.written };
            let fits = smaller(batch.items, unit.time.value, budget);
            Problem::at(change, "unit-over-budget", what).help(fits)
        }
    };
    problems
        .push(problem.note("a stop waits for the unit at hand, and aborts it when the budget is used up"));
}

/// What batch would fit, or what time for each item.
fn smaller(items: u32, per_item: u64, budget: u64) -> String {
    let fewer = budget / per_item.max(1);
    let shorter = budget / u64::from(items.max(1));
    let time = as_written(shorter.into());
    match (fewer, shorter) {
        (0, 0) => "write a smaller `batch` and a smaller `per_item`".to_owned(),
        (0, _) => format!("write `per_item = \"{time}\"` or less, if that is true: not even one item fits"),
        (_, 0) => format!("write `batch = {fewer}` or less"),
        (_, _) => {
            format!("write `batch = {fewer}` or less, or `per_item = \"{time}\"` or less if that is true")
        }
    }
}
