//! A resource: the struct as written, what it tells the graph, and how it closes.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens as _, quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{Expr, Member};

use crate::expand::argument::{held, reissue};
use crate::expand::member::{Use, declared_uses, optional, orders};
use crate::expand::{identity, place, this};
use crate::model::parameter::holds_nothing;
use crate::model::resource::{Field, Resource};
use crate::parse::attributes::cfgs;
use crate::parse::{plain, unwrap_group};

/// Expands a resource without problems.
pub(crate) fn resource(resource: &Resource) -> TokenStream {
    let item = &resource.item;
    let cfgs = cfgs(&item.attrs);
    let item_impl = item_impl(resource);
    let spec_impl = spec_impl(resource, &close(resource));
    let not_clone = not_clone(resource);
    quote! {
        #item
        #(#cfgs)*
        const _: () = {
            #item_impl
            #spec_impl
            #not_clone
        };
    }
}

pub(super) fn head(what: &str, resource: &Resource) -> TokenStream {
    let name = &resource.item.ident;
    let span = name.span().resolved_at(Span::mixed_site());
    let (runtime, what) = (resource.runtime.at(span), Ident::new(what, span));
    quote_spanned!(span=> impl #runtime::#what for #name)
}

pub(super) fn spec_impl(resource: &Resource, close: &TokenStream) -> TokenStream {
    let runtime = &resource.runtime;
    let head = head("ResourceSpec", resource);
    let member = member(resource);
    let shown = plain(&resource.item.ident);
    let reissues = reissues(resource);
    let this = this();
    let [issuer, closing] = ["__issuer", "__closing"].map(|name| Ident::new(name, Span::mixed_site()));
    let issuer_used = if reissues.is_empty() { quote!(_) } else { issuer.to_token_stream() };
    let reissues = reissues.into_iter();
    quote! {
        #[automatically_derived]
        #head {
            const SPEC: &'static #runtime::MemberSpec = &#member;
            // Reads no table, so that resources may use each other without a cycle in the compiler.
            const NAME: #runtime::ResourceName =
                #runtime::ResourceName { identity: <Self as #runtime::Item>::IDENTITY, name: #shown };

            fn reissue(&mut #this, #issuer_used: &mut #runtime::Issuer) {
                #(#reissues)*
            }

            fn close(&#this, #closing: #runtime::Closing) -> #runtime::BoxFuture<'_, #runtime::TaskResult> {
                #close
            }
        }
    }
}

/// `impl Item`, of which `#[shutdown_order]` reads nothing but the identity.
pub(super) fn item_impl(resource: &Resource) -> TokenStream {
    let (head, runtime) = (head("Item", resource), &resource.runtime);
    let identity = identity(&resource.item.ident, runtime);
    quote! {
        #[automatically_derived]
        #head {
            const IDENTITY: #runtime::Identity = #identity;
        }
    }
}

fn member(resource: &Resource) -> TokenStream {
    let runtime = &resource.runtime;
    let fields = resource.fields.iter().filter(|field| !holds_nothing(&field.ty));
    let mut uses: Vec<Use> = fields
        .map(|Field { cfgs, ty, how, .. }| Use::new(cfgs, &held(ty, runtime), how, false, runtime))
        .collect();
    uses.extend(declared_uses(resource.uses.as_deref(), runtime));
    let (name, budget) = (plain(&resource.item.ident), optional(resource.budget));
    let (orders, place) = (orders(&resource.orders, runtime), place(&resource.item.ident, runtime));
    quote! {
        #runtime::MemberSpec {
            identity: <Self as #runtime::Item>::IDENTITY,
            name: #name,
            kind: #runtime::Kind::Resource,
            budget: #budget,
            uses: &[#(#uses)*],
            orders: &[#orders],
            behaviour: #runtime::Behaviour::DEFAULT,
            place: #place,
        }
    }
}

fn reissues(resource: &Resource) -> Vec<TokenStream> {
    let (this, issuer) = (this(), Ident::new("__issuer", Span::mixed_site()));
    let of = |(number, Field { cfgs, ty, .. }): (usize, &Field)| {
        let reached = places(&resource.fields, number).into_iter().map(|(condition, member)| {
            let value = quote!(#this.#member);
            let statements =
                reissue(&value, ty, &quote!(#issuer), resource.uses.is_some(), &resource.runtime);
            (!statements.is_empty()).then(|| quote!(#(#cfgs)* #condition { #statements }))
        });
        reached.flatten().collect::<Vec<_>>()
    };
    resource.fields.iter().enumerate().flat_map(of).collect()
}

/// Where a field stands, under which condition: a tuple's fields move up where one before them is compiled out.
fn places(fields: &[Field], number: usize) -> Vec<(Option<TokenStream>, Member)> {
    let Some((Field { member, .. }, before)) = fields.get(number).zip(fields.get(..number)) else {
        return Vec::new();
    };
    let conditional: Vec<TokenStream> =
        before.iter().filter(|field| !field.cfgs.is_empty()).map(Field::condition).collect();
    if matches!(member, Member::Named(_)) || conditional.is_empty() {
        return vec![(None, member.clone())];
    }
    let place = |present: usize| {
        let holds = |condition: usize| present >> condition & 1 == 1;
        let terms = conditional.iter().enumerate().map(|(place, condition)| {
            if holds(place) { quote!(#condition) } else { quote!(not(#condition)) }
        });
        let absent = (0..conditional.len()).filter(|place| !holds(*place)).count();
        (Some(quote!(#[cfg(all(#(#terms),*))])), Member::from(number - absent))
    };
    (0..1_usize << conditional.len()).map(place).collect()
}

/// The future that closes it, from the user's path, closure or `Close`.
fn close(resource: &Resource) -> TokenStream {
    let (this, closing) = (this(), Ident::new("__closing", Span::mixed_site()));
    let Some(close) = &resource.close else {
        let span = resource.item.ident.span().resolved_at(Span::mixed_site());
        let (runtime, this) = (resource.runtime.at(span), Ident::new("self", span));
        return quote_spanned!(span=> #runtime::close_by_trait(#this, #closing));
    };
    let span = close.span().resolved_at(Span::mixed_site());
    let runtime = resource.runtime.at(span);
    match unwrap_group(close) {
        Expr::Closure(closure) if closure.inputs.len() == 1 => {
            quote_spanned!(span=> #runtime::close_taking_resource(#close, #this, #closing))
        }
        Expr::Closure(_) => quote_spanned!(span=> #runtime::close_taking_closing(#close, #this, #closing)),
        _ => quote_spanned!(span=> #runtime::close_with(#close, #this, #closing)),
    }
}

/// A clone of a resource would outlive its close unseen.
fn not_clone(resource: &Resource) -> TokenStream {
    let name = &resource.item.ident;
    let shown = plain(name);
    let message = format!(
        "[clone-resource] `{shown}` is `Clone`: a clone of it would outlive its close, unseen by the plan\n\
         help: remove `Clone` from `{shown}`; hand it out with `.lease()`, which counts\n\
         help: where the inner value is a cloneable pool, keep it in a private field of `{shown}`"
    );
    let span = resource.must_change.span().resolved_at(Span::mixed_site());
    let runtime = resource.runtime.at(span);
    quote_spanned! {span=>
        const _: () = {
            use #runtime::NotClone as _;
            #runtime::refuse_if(#runtime::CloneProbe::<#name>::IS_CLONE, #message)
        };
    }
}
