//! The grammar of an attribute's parentheses: `key`, `key = value`, `key(list)`, separated by commas.

use proc_macro2::TokenTree;
use quote::ToTokens as _;
use syn::ext::IdentExt as _;
use syn::parse::discouraged::Speculative as _;
use syn::parse::{ParseStream, Parser as _};
use syn::punctuated::Punctuated;
use syn::{Expr, Ident, Path, Token, Type, bracketed, parenthesized, token};

/// One argument.
#[derive(Debug)]
pub(crate) struct Argument {
    /// Its key, as it was written.
    pub(crate) key: Ident,
    /// What follows it.
    pub(crate) value: Value,
}

/// What follows a key.
#[derive(Debug)]
pub(crate) enum Value {
    /// Nothing.
    Flag,
    /// `= expression`
    Expr(Expr),
    /// `= path`, of `crate`.
    Path(Path),
    /// `= Type` or `= [Type, ...]`, of `after` and `before`; `(Type, ...)` of `uses`.
    Types(Vec<Type>),
    /// Something that does not parse, which was reported.
    Malformed,
}

/// All arguments; after one that is malformed it goes on behind the next comma.
pub(crate) fn arguments(
    input: ParseStream<'_>,
    malformed: &mut Vec<syn::Error>,
) -> syn::Result<Vec<Argument>> {
    let mut found = Vec::new();
    while !input.is_empty() {
        let ahead = input.fork();
        match argument(&ahead) {
            Ok(argument) => {
                input.advance_to(&ahead);
                found.push(argument);
            }
            Err(error) => {
                malformed.push(error);
                let key = input.fork().call(Ident::parse_any);
                found.extend(key.ok().map(|key| Argument { key, value: Value::Malformed }));
            }
        }
        while !input.is_empty() && !input.peek(Token![,]) {
            input.parse::<TokenTree>()?;
        }
        input.parse::<Option<Token![,]>>()?;
    }
    Ok(found)
}

fn argument(input: ParseStream<'_>) -> syn::Result<Argument> {
    let key = input.call(Ident::parse_any)?;
    let value = if input.is_empty() || input.peek(Token![,]) {
        Value::Flag
    } else if input.peek(token::Paren) {
        let content;
        parenthesized!(content in input);
        Value::Types(Punctuated::<Type, Token![,]>::parse_terminated(&content)?.into_iter().collect())
    } else {
        input.parse::<Token![=]>()?;
        value(&key, input)?
    };
    if input.is_empty() || input.peek(Token![,]) {
        Ok(Argument { key, value })
    } else {
        Err(input.error("expected `,` here"))
    }
}

fn value(key: &Ident, input: ParseStream<'_>) -> syn::Result<Value> {
    Ok(match key.to_string().as_str() {
        "after" | "before" => Value::Types(types(input)?),
        // As an expression, a type's arguments would be comparisons.
        "type" if input.peek2(Token![<]) => Value::Types(vec![input.parse()?]),
        "crate" => Value::Path(module(input)?),
        _ => Value::Expr(input.parse()?),
    })
}

impl Argument {
    /// The same argument under another key, which its own was taken for: its value read as that key's.
    pub(crate) fn renamed(&self, name: &str) -> Self {
        let key = Ident::new(name, self.key.span());
        let value = match &self.value {
            Value::Flag => Value::Flag,
            Value::Types(types) => Value::Types(types.clone()),
            Value::Expr(expr) => {
                let read = |input: ParseStream<'_>| value(&key, input);
                read.parse2(expr.to_token_stream()).unwrap_or(Value::Malformed)
            }
            Value::Path(_) | Value::Malformed => Value::Malformed,
        };
        Self { key, value }
    }
}

fn types(input: ParseStream<'_>) -> syn::Result<Vec<Type>> {
    if !input.peek(token::Bracket) {
        return Ok(vec![input.parse()?]);
    }
    let content;
    bracketed!(content in input);
    Ok(Punctuated::<Type, Token![,]>::parse_terminated(&content)?.into_iter().collect())
}

/// The path of a crate or a module: `Self` is a type, which no `use` can begin with.
fn module(input: ParseStream<'_>) -> syn::Result<Path> {
    let path = input.call(Path::parse_mod_style)?;
    match path.segments.iter().find(|segment| segment.ident == "Self") {
        Some(segment) => {
            Err(syn::Error::new(segment.ident.span(), "expected the path of a crate, not of a type"))
        }
        None => Ok(path),
    }
}
