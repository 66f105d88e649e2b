//! The compiling twins of the refused programs: each differs from its refused one in one place.
#![allow(dead_code, missing_docs, unreachable_pub, clippy::all, clippy::pedantic)]

include!(concat!(env!("OUT_DIR"), "/twins.rs"));
