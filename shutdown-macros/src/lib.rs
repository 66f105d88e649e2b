//! The attribute macros of `shutdown-runtime`. Users meet them, with their documentation, as that crate's re-exports.

mod check;
mod diag;
mod expand;
mod model;
mod names;
mod parse;
mod pipeline;
mod runtime_path;
#[cfg(test)]
mod tests;

use proc_macro::TokenStream;

use crate::model::task::FnKind;

/// Declares a background task. See the re-export in `shutdown-runtime`.
#[proc_macro_attribute]
pub fn background_task(arguments: TokenStream, item: TokenStream) -> TokenStream {
    pipeline::task(FnKind::Task, arguments.into(), item.into()).into_tokens().into()
}

/// Declares a hook that runs once at the stop. See the re-export in `shutdown-runtime`.
#[proc_macro_attribute]
pub fn shutdown_hook(arguments: TokenStream, item: TokenStream) -> TokenStream {
    pipeline::task(FnKind::Hook, arguments.into(), item.into()).into_tokens().into()
}

/// Declares a resource. See the re-export in `shutdown-runtime`.
#[proc_macro_attribute]
pub fn resource(arguments: TokenStream, item: TokenStream) -> TokenStream {
    pipeline::resource(arguments.into(), item.into()).into_tokens().into()
}

/// Orders an item or a field. See the re-export in `shutdown-runtime`.
#[proc_macro_attribute]
pub fn shutdown_order(arguments: TokenStream, item: TokenStream) -> TokenStream {
    pipeline::order(&arguments.into(), item.into()).into_tokens().into()
}

/// Declares a plan. See the re-export in `shutdown-runtime`.
#[proc_macro_attribute]
pub fn shutdown_plan(arguments: TokenStream, item: TokenStream) -> TokenStream {
    pipeline::plan(arguments.into(), item.into()).into_tokens().into()
}

/// The service's entry point. See the re-export in `shutdown-runtime`.
#[proc_macro_attribute]
pub fn main(arguments: TokenStream, item: TokenStream) -> TokenStream {
    pipeline::entry(arguments.into(), item.into()).into_tokens().into()
}

/// Says which leases a struct holds. See the re-export in `shutdown-runtime`.
#[proc_macro_derive(Uses, attributes(uses))]
pub fn derive_uses(item: TokenStream) -> TokenStream {
    pipeline::derive_uses(&item.into()).into_tokens().into()
}
