//! `#[shutdown_order]` as an attribute of its own: it moves below the others, where the main attribute takes it.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::Attribute;
use syn::parse::Parser as _;

use crate::diag::Problems;
use crate::names::{ORDER_KEYS, ROTATED, SHUTDOWN_ORDER};
use crate::parse::arguments::Arguments;

/// The item with the attribute below the others; `None` where no other attribute is left to take it.
pub(crate) fn moved(arguments: &TokenStream, item: &TokenStream) -> Option<TokenStream> {
    let first = arguments.clone().into_iter().next();
    let rotated = first.is_some_and(|first| first.to_string() == ROTATED);
    match split(item) {
        Some((attributes, rest)) if !rotated && attributes.iter().any(|attribute| !is_inert(attribute)) => {
            let rotated = Ident::new(ROTATED, Span::call_site());
            let mut problems = Problems::default();
            // The items' own attribute reads the arguments and reports on them; here only `crate` is needed.
            let runtime =
                Arguments::parse(SHUTDOWN_ORDER, ORDER_KEYS, arguments.clone(), &mut problems).take_crate();
            let krate = runtime.krate(Span::call_site());
            let attribute = Ident::new(SHUTDOWN_ORDER, Span::call_site());
            Some(quote!(#(#attributes)* #[#krate::#attribute(#rotated, #arguments)] #rest))
        }
        _ => None,
    }
}

fn split(item: &TokenStream) -> Option<(Vec<Attribute>, TokenStream)> {
    let parser =
        |input: syn::parse::ParseStream<'_>| Ok((input.call(Attribute::parse_outer)?, input.parse()?));
    parser.parse2(item.clone()).ok()
}

/// Built-in attributes that certainly are not the main one.
fn is_inert(attribute: &Attribute) -> bool {
    const INERT: &[&str] = &[
        "doc",
        "allow",
        "warn",
        "deny",
        "forbid",
        "expect",
        "inline",
        "cold",
        "must_use",
        "deprecated",
        "cfg",
        "cfg_attr",
        "track_caller",
        "non_exhaustive",
        "repr",
        "derive",
        "automatically_derived",
        SHUTDOWN_ORDER,
    ];
    attribute.path().segments.last().is_some_and(|last| INERT.iter().any(|name| last.ident == name))
}
