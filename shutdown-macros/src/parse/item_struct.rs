//! What kind of item an attribute that wants a struct was put on.

use proc_macro2::TokenStream;
use syn::parse::Parser as _;
use syn::{Attribute, ItemStruct, Visibility};

/// The annotated struct, or the first tokens of whatever else it is.
#[derive(Debug)]
pub(crate) enum StructItem {
    /// A struct.
    Struct(Box<ItemStruct>),
    /// Something else; its keyword and its name, as far as it has them.
    Other(TokenStream),
    /// A struct that does not parse.
    Malformed(syn::Error),
}

/// Reads the item.
pub(crate) fn struct_item(tokens: &TokenStream) -> StructItem {
    match syn::parse2::<ItemStruct>(tokens.clone()) {
        Ok(item) => StructItem::Struct(Box::new(item)),
        Err(error) => match head(tokens) {
            Some((keyword, head)) if keyword != "struct" => StructItem::Other(head),
            _ => StructItem::Malformed(error),
        },
    }
}

/// The first word behind attributes and visibility, and the tokens that a message about the kind of item underlines.
pub(crate) fn head(tokens: &TokenStream) -> Option<(String, TokenStream)> {
    let parser = |input: syn::parse::ParseStream<'_>| {
        input.call(Attribute::parse_outer)?;
        input.parse::<Visibility>()?;
        let first: proc_macro2::TokenTree = input.parse()?;
        let rest: TokenStream = input.parse()?;
        let second = rest.into_iter().next();
        Ok((first, second))
    };
    let (first, second) = parser.parse2(tokens.clone()).ok()?;
    let keyword = first.to_string();
    let second = second.filter(|token| matches!(token, proc_macro2::TokenTree::Ident(_)));
    Some((keyword, [Some(first), second].into_iter().flatten().collect()))
}
