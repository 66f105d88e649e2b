//! A function whose body stays tokens, so that a half-typed one still yields the item.

use proc_macro2::{Group, TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Signature, Visibility};

/// The annotated function.
#[derive(Clone, Debug)]
pub(crate) struct FnItem {
    /// Its attributes without the one that is being expanded.
    pub(crate) attributes: Vec<Attribute>,
    /// Its visibility.
    pub(crate) visibility: Visibility,
    /// Its signature.
    pub(crate) signature: Signature,
    /// Its body with the braces.
    pub(crate) body: Group,
}

impl Parse for FnItem {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        let visibility = input.parse()?;
        let signature = input.parse()?;
        let body = match input.parse::<TokenTree>()? {
            TokenTree::Group(group) => body(group),
            other => return Err(syn::Error::new(other.span(), "expected the function's body")),
        };
        Ok(Self { attributes, visibility, signature, body })
    }
}

/// `macro_rules!` wraps a `$body:block` into an invisible group.
fn body(group: Group) -> Group {
    let mut inner = group.stream().into_iter();
    match (group.delimiter(), inner.next(), inner.next()) {
        (proc_macro2::Delimiter::None, Some(TokenTree::Group(braces)), None) => body(braces),
        _ => group,
    }
}

impl ToTokens for FnItem {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        for attribute in &self.attributes {
            attribute.to_tokens(tokens);
        }
        self.visibility.to_tokens(tokens);
        self.signature.to_tokens(tokens);
        self.body.to_tokens(tokens);
    }
}
