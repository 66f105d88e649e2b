//! What a declared item says about itself, as constants.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{Attribute, Ident, Type};

use crate::expand::{identity, place};
use crate::model::order::{Direction, Order};
use crate::model::text::text;
use crate::runtime_path::RuntimePath;

/// One way in which an item uses resources.
pub(super) struct Use {
    pub(super) cfgs: Vec<Attribute>,
    pub(super) held: TokenStream,
    pub(super) how: String,
    pub(super) declared: bool,
}

/// What goes into the table of one member.
pub(super) struct Member<'a> {
    pub(super) name: &'a Ident,
    pub(super) kind: &'static str,
    pub(super) budget: Option<u64>,
    pub(super) uses: Vec<Use>,
    pub(super) orders: &'a [Order],
    pub(super) behaviour: TokenStream,
    pub(super) runtime: &'a RuntimePath,
}

impl ToTokens for Member<'_> {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let runtime = self.runtime;
        let name = crate::parse::plain(self.name);
        let kind = format_ident!("{}", self.kind);
        let budget = optional(self.budget);
        let uses = self.uses.iter().map(|Use { cfgs, held, how, declared }| {
            quote!(#(#cfgs)* #runtime::UseSpec { held: #held, how: #how, declared: #declared })
        });
        let orders = self.orders.iter().map(|order| {
            let (other, name) = (&order.other, &order.name);
            let span = super::first_span(other);
            let direction = match order.direction {
                Direction::After => quote!(After),
                Direction::Before => quote!(Before),
            };
            let named = runtime.at(span);
            let identity = quote_spanned!(span=> <#other as #named::Item>::IDENTITY);
            quote!(#runtime::OrderSpec { other: #identity, name: #name, direction: #runtime::Direction::#direction })
        });
        let behaviour = &self.behaviour;
        let place = place(self.name, runtime);
        tokens.extend(quote! {
            #runtime::MemberSpec {
                identity: <Self as #runtime::Item>::IDENTITY,
                name: #name,
                kind: #runtime::Kind::#kind,
                budget: #budget,
                uses: &[#(#uses),*],
                orders: &[#(#orders),*],
                behaviour: #behaviour,
                place: #place,
            }
        });
    }
}

/// `impl Item`, of which `#[shutdown_order]` reads nothing but the identity.
pub(super) fn item_impl(name: &Ident, head: &TokenStream, runtime: &RuntimePath) -> TokenStream {
    let identity = identity(name, runtime);
    quote! {
        #[automatically_derived]
        #head {
            const IDENTITY: #runtime::Identity = #identity;
        }
    }
}

/// The uses that `uses(A, B)` declares.
pub(super) fn declared_uses(types: Option<&[Type]>, runtime: &RuntimePath) -> Vec<Use> {
    let one = |ty: &Type| {
        let span = super::first_span(ty);
        let named = runtime.at(span);
        let held = quote_spanned!(span=> &#named::Held::One(&<#ty as #named::ResourceSpec>::NAME));
        Use { cfgs: Vec::new(), held, how: format!("declares `uses({})`", text(ty)), declared: true }
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
