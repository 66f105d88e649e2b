//! Tests of the whole: what must not compile, what must, and which messages are covered.
//!
//! What is public here is so for the lints' sake: some speak only of items that other crates can reach.
#![deny(warnings, missing_docs, missing_debug_implementations, unreachable_pub, unnameable_types)]
#![deny(clippy::pedantic, clippy::nursery)]

#[path = "hygiene/attributes.rs"]
pub mod attributes;
