//! A service in a crate that denies every warning, and nearly all that can be denied.
#![deny(warnings, missing_docs, missing_debug_implementations, unreachable_pub, unnameable_types)]
#![deny(unused, unused_qualifications, single_use_lifetimes, rust_2018_idioms, let_underscore_drop)]
#![deny(clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]
#![forbid(unsafe_code)]
#![allow(
    clippy::blanket_clippy_restriction_lints,
    clippy::needless_return,
    reason = "the restrictions contradict these"
)]
#![allow(
    clippy::absolute_paths,
    clippy::arbitrary_source_item_ordering,
    clippy::exhaustive_structs,
    clippy::pub_use,
    clippy::single_call_fn,
    clippy::std_instead_of_alloc,
    reason = "this crate's own code breaks these restrictions, and only these"
)]

pub mod items;
mod plan;

pub use plan::{Service, Workers, assemble};
