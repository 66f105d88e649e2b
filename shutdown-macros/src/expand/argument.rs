//! How one kept value is asked for the leases that it holds.

use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use syn::Type;

use crate::expand::{first_span, last_span};
use crate::model::parameter::{holds_nothing, inner_types, is_unnameable};
use crate::runtime_path::RuntimePath;

/// The resources that a value of this type holds, as a constant.
pub(super) fn held(ty: &Type, runtime: &RuntimePath) -> TokenStream {
    quote!({
        use #runtime::Opaque as _;
        #runtime::Probe::<#ty>::HELD
    })
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
    if is_unnameable(ty) {
        let check = quote_spanned!(first=> #hidden::need_no_hidden_lease(&#value););
        return if declared { TokenStream::new() } else { check };
    }
    if holds_nothing(ty) {
        return TokenStream::new();
    }
    let method = Ident::new(if declared { "reissue_declared" } else { "reissue" }, last);
    let call = quote_spanned!(first=> #hidden::Probe::<#ty>::#method(&mut #value, #issuer););
    let inner = inner_types(ty).into_iter().filter(|inner| !declared && !holds_nothing(inner)).map(|inner| {
        let hidden = runtime.at(first_span(inner));
        let method = Ident::new("hides_nothing", last_span(inner));
        quote_spanned!(first_span(inner)=> #hidden::Probe::<#inner>::#method();)
    });
    quote! {
        use #runtime::Opaque as _;
        #(#inner)*
        #call
    }
}
