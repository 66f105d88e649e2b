//! The shutdown graph as `const` data, and the checks that run over it while a plan is compiled.
//!
//! Everything here is ordinary `const fn` code over `'static` tables. The tables that the checks read in
//! `cargo check` are the very ones that the driver walks when the process stops.
#![allow(
    clippy::cast_possible_truncation,
    reason = "numbers of members and fields fit 16 bits, since `solve` refuses larger plans; a hash may lose bits"
)]

mod behaviour;
mod describe;
mod item_orders;
mod render;
mod rules;
mod solve;
mod spec;
#[cfg(test)]
mod tests;
mod text;
pub(crate) mod time;
mod unit;
mod verify;

pub use behaviour::{Behaviour, Conduct, OnError, OnExit, StopMode};
pub use render::Graph;
pub use solve::{Solved, capacity, members, solve};
pub use spec::{
    Because, CycleStep, Direction, FieldSpec, Follows, Held, Identity, Kind, MemberSpec, Node, OrderSpec,
    Place, PlanSpec, ResourceName, UseSpec,
};
pub use unit::Unit;
pub use verify::{Failure, check, failures, verify_budget, verify_field};

pub use time::longest_path_from;
pub(crate) use time::{drain_hooks, millis, needed, phase_budget};
