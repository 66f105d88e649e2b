//! What a declared item says about itself, as constants.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::{Attribute, Type};

use crate::diag::text::text;
use crate::model::order::{Direction, Order};
use crate::runtime_path::RuntimePath;

/// One way in which an item uses resources: an element of its table, with the comma.
pub(super) struct Use(TokenStream);

impl Use {
    pub(super) fn new(
        cfgs: &[Attribute],
        held: &TokenStream,
        how: &str,
        declared: bool,
        runtime: &RuntimePath,
    ) -> Self {
        Self(quote!(#(#cfgs)* #runtime::UseSpec { held: #held, how: #how, declared: #declared },))
    }
}

impl ToTokens for Use {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.0.to_tokens(tokens);
    }
}

/// The orders that travel with an item, as elements of its table.
pub(super) fn orders(orders: &[Order], runtime: &RuntimePath) -> TokenStream {
    let orders = orders.iter().map(|order| {
        let (other, name) = (&order.other, &order.name);
        let span = super::first_span(other);
        let direction = match order.direction {
            Direction::After => quote!(After),
            Direction::Before => quote!(Before),
        };
        let named = runtime.at(span);
        let identity = quote_spanned!(span=> <#other as #named::Item>::IDENTITY);
        quote!(#runtime::OrderSpec { other: #identity, name: #name, direction: #runtime::Direction::#direction },)
    });
    orders.collect()
}

/// The uses that `uses(A, B)` declares.
pub(super) fn declared_uses(types: Option<&[Type]>, runtime: &RuntimePath) -> Vec<Use> {
    let one = |ty: &Type| {
        let span = super::first_span(ty);
        let named = runtime.at(span);
        let held = quote_spanned!(span=> <#ty as #named::ResourceSpec>::HELD);
        Use::new(&[], &held, &format!("declares `uses({})`", text(ty)), true, runtime)
    };
    types.unwrap_or_default().iter().map(one).collect()
}

/// `Some(value)` or `None`, by absolute paths.
pub(super) fn optional(value: Option<impl ToTokens>) -> TokenStream {
    value.map_or_else(
        || quote!(::core::option::Option::None),
        |value| quote!(::core::option::Option::Some(#value)),
    )
}
