//! Judges a program by what `design.md` says of the graph, over graphs of its own made with `petgraph`.

mod order;
mod rules;
mod unfold;

use crate::model::Program;
use crate::verdict::Verdict;

pub use order::{drain, field_order, has_cycle, needed};
pub use rules::precedes;

/// What is wrong with each plan and part of a program.
pub fn judge(program: &Program) -> Vec<Verdict> {
    let unfolded: Vec<_> = (0..program.plans.len()).map(|plan| unfold::unfold(program, plan)).collect();
    let needed: Vec<u64> = unfolded.iter().map(order::longest_path).collect();
    (0..program.plans.len()).map(|plan| rules::judge(program, plan, &unfolded[plan], &needed)).collect()
}
