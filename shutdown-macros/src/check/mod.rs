//! The rules that need one item alone. Each is a function; all of them run.

mod body;
mod closes;
mod entry;
mod holder;
mod iterations;
#[cfg(feature = "kubernetes")]
mod manifest;
mod plan;
mod resource;
mod signature;
mod task;
mod unit;

pub(crate) use entry::entry;
pub(crate) use holder::holder;
pub(crate) use plan::plan;
pub(crate) use resource::resource;
pub(crate) use signature::is_method;

use crate::diag::Problems;
use crate::model::task::Task;

/// Judges a task or a hook.
pub(crate) fn task(task: &Task, problems: &mut Problems) {
    signature::check(task, problems);
    task::check(task, problems);
    iterations::check(task, problems);
    unit::check(task, problems);
    body::check(task, problems);
}
