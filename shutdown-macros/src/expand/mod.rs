//! Model to tokens. Nothing here fails.

mod argument;
mod constructor;
pub(crate) mod entry;
pub(crate) mod fallback;
pub(crate) mod hold;
mod member;
pub(crate) mod order;
pub(crate) mod plan;
mod plan_docs;
mod plan_tables;
pub(crate) mod resource;
pub(crate) mod task;

use proc_macro2::{Group, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::Ident;

use crate::model::seed;
use crate::runtime_path::RuntimePath;

/// The expression of an item's identity. The position is taken at its name, so that function-local items and those
/// stamped by one macro stay apart.
fn identity(name: &Ident, runtime: &RuntimePath) -> TokenStream {
    let seed = seed(name);
    let (line, column) = (position("line", name), position("column", name));
    quote!(#runtime::Identity::new(#seed, ::core::module_path!(), #line, #column))
}

/// The expression of the place of an item's declaration.
fn place(name: &Ident, runtime: &RuntimePath) -> TokenStream {
    let line = position("line", name);
    quote!(#runtime::Place { file: ::core::file!(), line: #line })
}

/// `line!()` or `column!()` of the name itself: resolved where the user wrote it, or it would be the attribute's.
fn position(what: &str, name: &Ident) -> TokenStream {
    let what = Ident::new(what, name.span());
    quote_spanned!(name.span()=> ::core::#what!())
}

/// The span of the first token, at which generated code that stands for `tokens` begins.
fn first_span(tokens: &impl ToTokens) -> Span {
    let first = tokens.to_token_stream().into_iter().next();
    first.map_or_else(Span::call_site, |token| token.span()).resolved_at(Span::mixed_site())
}

/// The span of the last token.
fn last_span(tokens: &impl ToTokens) -> Span {
    let last = tokens.to_token_stream().into_iter().last();
    last.map_or_else(Span::call_site, |token| token.span()).resolved_at(Span::mixed_site())
}

/// The same tokens, all of them at `span`: what rustc then underlines is the user's code.
fn respanned(tokens: TokenStream, span: Span) -> TokenStream {
    let respan = |token: TokenTree| match token {
        TokenTree::Group(group) => {
            let mut moved = Group::new(group.delimiter(), respanned(group.stream(), span));
            moved.set_span(span);
            TokenTree::Group(moved)
        }
        mut other => {
            other.set_span(span);
            other
        }
    };
    tokens.into_iter().map(respan).collect()
}

/// The same tokens, meaning what they meant, but shown at `span`.
fn located(tokens: &TokenStream, span: Span) -> TokenStream {
    let locate = |mut token: TokenTree| {
        token.set_span(token.span().located_at(span));
        token
    };
    tokens.clone().into_iter().map(locate).collect()
}

/// `self`, which is the same `self` in the signature and in code at other spans.
fn this() -> Ident {
    Ident::new("self", Span::mixed_site())
}
