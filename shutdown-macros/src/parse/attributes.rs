//! Sorts an item's attributes into ours and the user's, and the user's by where they belong.

use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::parse::Parser as _;
use syn::punctuated::Punctuated;
use syn::{Attribute, LitStr, Meta, Token, parse_quote};

use crate::names::{PHASE, SHUTDOWN_ORDER};
use crate::parse::plain;

/// Whether the last segment of the attribute's path is `name`.
pub(crate) fn is_named(attribute: &Attribute, name: &str) -> bool {
    attribute.path().segments.last().is_some_and(|segment| segment.ident == name)
}

/// Takes the attributes called `name` out of the list.
pub(crate) fn take(attributes: &mut Vec<Attribute>, name: &str) -> Vec<Attribute> {
    let (ours, others) =
        std::mem::take(attributes).into_iter().partition(|attribute| is_named(attribute, name));
    *attributes = others;
    ours
}

/// Takes the attributes that a field of a plan may have for us.
pub(crate) fn take_field_attributes(attributes: &mut Vec<Attribute>) -> Vec<Attribute> {
    let mut ours = take(attributes, SHUTDOWN_ORDER);
    ours.extend(take(attributes, PHASE));
    ours
}

/// What stands in an attribute's parentheses.
pub(crate) fn list_tokens(attribute: &Attribute) -> TokenStream {
    match &attribute.meta {
        Meta::List(list) => list.tokens.clone(),
        _ => TokenStream::new(),
    }
}

/// Only the conditions among the attributes, as `#[cfg]`s: those, and what a `#[cfg_attr]` would become one of.
pub(crate) fn cfgs(attributes: &[Attribute]) -> Vec<Attribute> {
    attributes.iter().flat_map(conditions).collect()
}

fn conditions(attribute: &Attribute) -> Vec<Attribute> {
    if attribute.path().is_ident("cfg") {
        return vec![attribute.clone()];
    }
    if !attribute.path().is_ident("cfg_attr") {
        return Vec::new();
    }
    let metas = Punctuated::<Meta, Token![,]>::parse_terminated.parse2(list_tokens(attribute));
    let mut metas = metas.into_iter().flatten();
    let Some(condition) = metas.next() else { return Vec::new() };
    let inner = metas.flat_map(|meta| conditions(&parse_quote!(#[#meta])));
    let inner = inner.map(|cfg| {
        let predicate = list_tokens(&cfg);
        parse_quote!(#[cfg(any(not(#condition), #predicate))])
    });
    inner.collect()
}

/// Gives the spans of `#[tracing::instrument]` the function's name: the attribute moves to a function called `body`.
pub(crate) fn name_spans(attributes: &mut [Attribute], name: &Ident) {
    let shown = LitStr::new(&plain(name), name.span());
    for attribute in attributes.iter_mut().filter(|attribute| is_instrument(attribute)) {
        let (path, tokens) = (attribute.path().clone(), list_tokens(attribute));
        if !names_the_span(tokens.clone()) {
            attribute.meta = parse_quote!(#path(name = #shown, #tokens));
        }
    }
}

fn is_instrument(attribute: &Attribute) -> bool {
    let segments = &attribute.path().segments;
    let of_tracing = segments.len() == 1
        || (segments.len() == 2 && segments.first().is_some_and(|first| first.ident == "tracing"));
    of_tracing && is_named(attribute, "instrument")
}

/// Whether the list begins with a name, or has `name = ...`.
fn names_the_span(tokens: TokenStream) -> bool {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let named = tokens.windows(2).any(|pair| match pair {
        [TokenTree::Ident(key), TokenTree::Punct(sign)] => key == "name" && sign.as_char() == '=',
        _ => false,
    });
    named || matches!(tokens.first(), Some(TokenTree::Literal(_)))
}

/// The attributes of an annotated function, by the generated thing that takes them over.
#[derive(Debug, Default)]
pub(crate) struct FnAttributes {
    /// On the constructor, which is what callers see.
    pub(crate) constructor: Vec<Attribute>,
    /// On the function as written: lints, and macros such as `#[tracing::instrument]`.
    pub(crate) body: Vec<Attribute>,
    /// `#[cfg]`, on everything.
    pub(crate) cfgs: Vec<Attribute>,
}

impl FnAttributes {
    /// Sorts them.
    pub(crate) fn sort(attributes: &[Attribute]) -> Self {
        let mut sorted = Self { cfgs: cfgs(attributes), ..Self::default() };
        for attribute in attributes {
            let name = attribute.path().get_ident().map(ToString::to_string);
            match name.as_deref() {
                Some("cfg") => {}
                Some("doc" | "deprecated" | "must_use" | "track_caller") => {
                    sorted.constructor.push(attribute.clone());
                }
                Some("allow" | "warn" | "deny" | "forbid") => {
                    sorted.constructor.push(attribute.clone());
                    sorted.body.push(attribute.clone());
                }
                Some("expect") => sorted.expect(attribute),
                _ => sorted.body.push(attribute.clone()),
            }
        }
        sorted
    }

    /// An expectation stands where its lint speaks, and only there: the other place would say that nothing met it.
    fn expect(&mut self, attribute: &Attribute) {
        let metas = Punctuated::<Meta, Token![,]>::parse_terminated.parse2(list_tokens(attribute));
        let metas = metas.into_iter().flatten().filter(|meta| !meta.path().is_ident("reason"));
        let (of_name, of_body): (Vec<Meta>, Vec<Meta>) =
            metas.partition(|meta| OF_THE_NAME.iter().any(|lint| meta.path().is_ident(lint)));
        if of_name.is_empty() {
            self.body.push(attribute.clone());
            return;
        }
        self.constructor.push(parse_quote!(#[expect(#(#of_name),*)]));
        self.body.push(parse_quote!(#[allow(#(#of_name),*)]));
        if !of_body.is_empty() {
            self.body.push(parse_quote!(#[expect(#(#of_body),*)]));
        }
    }
}

/// Lints about a function's name and what stands before it: of a task they speak at its constructor.
const OF_THE_NAME: [&str; 5] =
    ["dead_code", "missing_docs", "non_snake_case", "private_interfaces", "unreachable_pub"];
