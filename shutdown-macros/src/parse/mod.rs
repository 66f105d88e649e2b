//! Tokens to raw syntax, without judgement beyond grammar.

pub(crate) mod arguments;
pub(crate) mod attributes;
pub(crate) mod duration;
pub(crate) mod grammar;
pub(crate) mod item_fn;
pub(crate) mod item_struct;

use syn::{Expr, Type};

/// An expression without the invisible groups that `macro_rules!` puts around its fragments.
pub(crate) fn unwrap_group(expr: &Expr) -> &Expr {
    match expr {
        Expr::Group(group) => unwrap_group(&group.expr),
        other => other,
    }
}

/// A type without invisible groups and parentheses.
pub(crate) fn unwrap_type(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => unwrap_type(&group.elem),
        Type::Paren(paren) => unwrap_type(&paren.elem),
        other => other,
    }
}

/// An identifier as users see it, without `r#`.
pub(crate) fn plain(ident: &syn::Ident) -> String {
    let text = ident.to_string();
    match text.strip_prefix("r#") {
        Some(plain) => plain.to_owned(),
        None => text,
    }
}
