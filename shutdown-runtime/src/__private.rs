//! The only door for generated code. Nothing here is covered by any promise of stability.

pub use std::boxed::Box;
pub use std::marker::PhantomData;
pub use std::option::Option;
pub use std::process::ExitCode;
pub use std::time::Duration;

pub use crate::__declare_task as declare_task;
pub use crate::closing::Closing;
pub use crate::driver::Running;
pub use crate::entry::{Flavor, RuntimeOptions, main};
pub use crate::error::StartError;
pub use crate::graph::{
    Because, Behaviour, Conduct, CycleStep, Direction, FieldSpec, Follows, Graph, Held, Identity, Kind,
    MemberSpec, Node, OnError, OnExit, OrderSpec, Place, PlanSpec, ResourceName, Solved, StopMode, Unit,
    UseSpec, capacity, longest_path_from, members, solve, verify_budget, verify_field,
};
pub use crate::item::{Item, Phase, TaskSpec};
pub use crate::lease::{Issuer, Lease, Lend};
pub use crate::main_output::MainOutput;
pub use crate::output::{
    CloseWith, Output, TaskResult, close_by_trait, close_taking_closing, close_taking_resource, close_with,
    into_result,
};
pub use crate::periodic::EachIteration;
pub use crate::phase::{PhaseBuilder, Phases};
pub use crate::plan::{Part, Plan};
pub use crate::probe::{CloneProbe, NoHiddenLease, NotClone, Opaque, Probe, need_no_hidden_lease};
pub use crate::report::Report;
pub use crate::resource::{BoxFuture, Close, Resource, ResourceSpec};
pub use crate::shutdown::Shutdown;
pub use crate::startup::Startup;
pub use crate::task::{TaskValue, boxed, debug, issuer, once, periodic};
pub use crate::uses::Uses;

/// Where the members of the field of that number are collected. The macros number the fields of the very plan.
pub fn field(phases: &mut Phases, index: usize) -> &mut PhaseBuilder {
    &mut phases.fields[index]
}

/// Refuses an item with the macro's own text where only a type could tell.
///
/// # Panics
///
/// With the text, if `refused`; at compile time that is the error.
#[track_caller]
pub const fn refuse_if(refused: bool, text: &str) {
    assert!(!refused, "{}", text);
}
