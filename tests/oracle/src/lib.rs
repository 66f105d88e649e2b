//! Random plans, and an oracle that judges them without any of the code that it is compared with.
//!
//! A [`model::Program`] is what a user could have written: items, parts, a plan. [`oracle`] judges it with `petgraph`;
//! [`tables`] turns it into what the macros would emit, for the runtime's own `solve` and `check`; [`source`] into Rust,
//! for rustc. The tests compare the verdicts, and [`witness`] the paths that the messages print.

pub mod generate;
pub mod model;
pub mod oracle;
pub mod source;
pub mod tables;
pub mod tally;
pub mod verdict;
pub mod witness;
