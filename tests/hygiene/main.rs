//! Programs that must compile wherever they stand: shadowed names, raw identifiers, macros, strict lints.
#![deny(
    warnings,
    missing_docs,
    missing_debug_implementations,
    unreachable_pub,
    clippy::pedantic,
    clippy::nursery
)]
#![forbid(unsafe_code)]
// The bodies are as short as can be, and the visibilities are part of what is tested.
#![allow(clippy::unused_async, clippy::missing_const_for_fn, clippy::redundant_pub_crate)]
#![allow(clippy::multiple_bound_locations, clippy::non_minimal_cfg)]

mod bare;
mod conditional;
mod generics;
mod holding;
mod identities;
mod instrumented;
mod many;
mod named_types;
mod orders;
mod outputs;
mod parameters;
mod shadowed;
mod stamped;

#[test]
fn a_renamed_crate_is_named_by_its_key() {
    let service = shutdown_renamed::assemble();
    assert!(format!("{service:?}").contains("relay"));
    assert!(shutdown_renamed::Service::graph().to_string().contains("http_api"));
}
