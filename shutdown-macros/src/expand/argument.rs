//! How one kept value is asked for the leases that it holds.

use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use syn::Type;

use crate::expand::{first_span, last_span, located};
use crate::model::parameter::{direct_inner_types, holds_nothing, inner_types, is_unnameable, names_lease};
use crate::parse::unwrap_type;
use crate::runtime_path::RuntimePath;

/// The resources that a value of this type holds, as a constant.
///
/// A type that says nothing itself may still hold what its type arguments do: `State<Arc<App>>`, a channel of leases.
pub(super) fn held(ty: &Type, runtime: &RuntimePath) -> TokenStream {
    let held = held_inside(ty, runtime);
    quote!({
        use #runtime::Opaque as _;
        #held
    })
}

fn held_inside(ty: &Type, runtime: &RuntimePath) -> TokenStream {
    if let Type::Tuple(tuple) = unwrap_type(ty) {
        let elements =
            tuple.elems.iter().filter(|element| !holds_nothing(element) && !is_unnameable(element));
        let elements = elements.map(|element| held_inside(element, runtime));
        return quote!(&#runtime::Held::All(&[#(#elements),*]));
    }
    let inner: Vec<_> = direct_inner_types(ty)
        .into_iter()
        .filter(|inner| !holds_nothing(inner) && !is_unnameable(inner))
        .map(|inner| held_inside(inner, runtime))
        .collect();
    if inner.is_empty() {
        return quote!(#runtime::Probe::<#ty>::HELD);
    }
    quote!(&#runtime::Held::Inside(#runtime::Probe::<#ty>::HELD, &[#(#inner),*]))
}

/// Statements that re-issue the leases inside `value` (a place expression), and refuse what may hide one.
///
/// `declared` says that the item wrote `uses(...)`, and so answers for what cannot be seen.
pub(super) fn reissue(
    value: &TokenStream,
    ty: &Type,
    issuer: &TokenStream,
    declared: bool,
    runtime: &RuntimePath,
) -> TokenStream {
    let (first, last) = (first_span(ty), last_span(ty));
    let hidden = runtime.at(first);
    // Or rustc would underline from here to where the value was written.
    let value = &located(value, last);
    if is_unnameable(ty) {
        let check = quote_spanned!(first=> #hidden::need_no_hidden_lease(&#value););
        return if declared { TokenStream::new() } else { check };
    }
    if holds_nothing(ty) {
        return TokenStream::new();
    }
    // A tuple is the values in it: one that holds nothing must not hide what its neighbour holds.
    if let Type::Tuple(tuple) = unwrap_type(ty) {
        let elements = tuple.elems.iter().enumerate().map(|(place, element)| {
            let place = syn::Index::from(place);
            reissue(&quote!(#value.#place), element, issuer, declared, runtime)
        });
        return quote!(#({ #elements })*);
    }
    let method = match unwrap_type(ty) {
        _ if declared => "reissue_declared",
        Type::Path(path) if names_lease(path) => "reissue_lease",
        _ => "reissue",
    };
    let method = Ident::new(method, last);
    let call = quote_spanned!(first=> #hidden::Probe::<#ty>::#method(&mut #value, #issuer););
    let inner = inner_types(ty).into_iter().filter(|inner| !declared && !holds_nothing(inner)).map(|inner| {
        let hidden = runtime.at(first_span(inner));
        let method = if matches!(inner, Type::Path(path) if names_lease(path)) {
            "leases_a_resource"
        } else {
            "hides_nothing"
        };
        let method = Ident::new(method, last_span(inner));
        quote_spanned!(first_span(inner)=> #hidden::Probe::<#inner>::#method();)
    });
    quote! {
        use #runtime::Opaque as _;
        #(#inner)*
        #call
    }
}

/// Statements that account for the leases inside `value` (a place expression that is only borrowed).
pub(super) fn account(
    value: &TokenStream,
    ty: &Type,
    issuer: &TokenStream,
    runtime: &RuntimePath,
) -> TokenStream {
    if holds_nothing(ty) || is_unnameable(ty) {
        return TokenStream::new();
    }
    if let Type::Tuple(tuple) = unwrap_type(ty) {
        let elements = tuple.elems.iter().enumerate().map(|(place, element)| {
            let place = syn::Index::from(place);
            account(&quote!(#value.#place), element, issuer, runtime)
        });
        return quote!(#({ #elements })*);
    }
    let span = first_span(ty);
    let hidden = runtime.at(span);
    quote_spanned! {span=>
        use #hidden::Opaque as _;
        #hidden::Probe::<#ty>::account(&#value, #issuer);
    }
}
