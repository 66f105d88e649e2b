//! Parameters that borrow: which are refused, and what to take instead.

use syn::visit::{self, Visit};
use syn::{Type, TypePath, TypeReference};

use crate::diag::Problem;
use crate::diag::text::text;
use crate::model::parameter::{is_shutdown, type_arguments};
use crate::parse::unwrap_type;

pub(super) fn mutable_borrow(name: &str, ty: &Type, inner: &Type) -> Problem {
    Problem::at(ty, "borrowed-argument", borrows(name, ty))
        .help(format!("take it by value: `mut {name}: {inner}`; a resource is lent as `{name}: &{inner}`", inner = text(inner)))
        .note("only a periodic task (`every = ...`) takes `&mut T`: state that its loop owns and lends to each iteration")
}

/// State that a loop cannot own: it has no size.
pub(super) fn unsized_state(name: &str, ty: &Type, inner: &Type) -> Option<Problem> {
    let instead = match inner {
        Type::Path(path) if path.path.is_ident("str") => "String".to_owned(),
        Type::Slice(slice) => format!("Vec<{}>", text(&slice.elem)),
        Type::TraitObject(_) => format!("Box<{}>", text(inner)),
        _ => return None,
    };
    let what = format!("the loop would own the state `{name}: {}`, which has no size of its own", text(ty));
    let problem = Problem::at(ty, "borrowed-argument", what);
    Some(problem.help(format!("take `{name}: &mut {instead}`")))
}

pub(super) fn not_lendable(name: &str, ty: &Type, inner: &Type) -> Option<Problem> {
    let instead = match inner {
        Type::Path(path) if path.path.is_ident("str") => {
            format!("`{name}: String` or `{name}: &'static str`")
        }
        Type::Path(path) if handled(path).is_some() => {
            let resource = handled(path).map(text).unwrap_or_default();
            format!("`{name}: &{resource}`, or `{name}: Lease<{resource}>` for a handle to keep")
        }
        shutdown if is_shutdown(shutdown) => format!("`{name}: Shutdown`"),
        Type::Slice(slice) => format!("`{name}: Vec<{}>`", text(&slice.elem)),
        Type::TraitObject(_) => format!("`{name}: Arc<{}>`", text(inner)),
        Type::ImplTrait(_) => format!("`{name}: {}`, or name a type parameter for a resource", text(inner)),
        Type::Reference(_) | Type::Ptr(_) | Type::FnPtr(_) | Type::Tuple(_) | Type::Array(_) => {
            format!("`{name}: {}`", text(inner))
        }
        _ => return None,
    };
    Some(
        Problem::at(ty, "borrowed-argument", borrows(name, ty))
            .help(format!("take {instead}"))
            .note("a `&T` parameter is a lent resource"),
    )
}

fn borrows(name: &str, ty: &Type) -> String {
    format!("`{name}: {}` borrows from the caller, which the task outlives", text(ty))
}

/// The resource of a `Lease<T>` or a `Resource<T>`.
fn handled(path: &TypePath) -> Option<&Type> {
    let last = path.path.segments.last()?;
    let handle = last.ident == "Lease" || last.ident == "Resource";
    match type_arguments(last).as_slice() {
        [resource] if handle => Some(*resource),
        _ => None,
    }
}

/// A borrow inside a type: `Vec<&str>`, `Request<'a>`, `Cow<'_, str>`.
pub(super) fn inner_borrow(name: &str, ty: &Type) -> Option<Problem> {
    let mut search = Borrow::default();
    search.visit_type(ty);
    let (borrowed, what) = search.found?;
    let what = format!("`{what}` in the type of `{name}` borrows from the caller, which the task outlives");
    let help = if borrowed.may_be_resource {
        format!("take the value itself; for a resource that may be absent take `{name}: Option<Lease<T>>`")
    } else {
        "take the value itself, or an `Arc` of it".to_owned()
    };
    Some(Problem::at(&borrowed.tokens, "borrowed-argument", what).help(help))
}

#[derive(Default)]
struct Borrow {
    found: Option<(Borrowed, String)>,
}

struct Borrowed {
    tokens: proc_macro2::TokenStream,
    may_be_resource: bool,
}

impl Borrow {
    fn note(&mut self, tokens: &impl quote::ToTokens, may_be_resource: bool) {
        if self.found.is_none() {
            let borrowed = Borrowed { tokens: tokens.to_token_stream(), may_be_resource };
            self.found = Some((borrowed, text(tokens)));
        }
    }
}

impl<'ast> Visit<'ast> for Borrow {
    fn visit_type_reference(&mut self, reference: &'ast TypeReference) {
        if is_static(reference) {
            visit::visit_type_reference(self, reference);
        } else {
            self.note(
                reference,
                matches!(unwrap_type(&reference.elem), Type::Path(path) if !path.path.is_ident("str")),
            );
        }
    }

    fn visit_lifetime(&mut self, lifetime: &'ast syn::Lifetime) {
        if lifetime.ident != "static" {
            self.note(lifetime, false);
        }
    }

    // What a function takes or returns is not borrowed from the caller of the task.
    fn visit_type_fn_ptr(&mut self, _: &'ast syn::TypeFnPtr) {}
    fn visit_parenthesized_generic_arguments(&mut self, _: &'ast syn::ParenthesizedGenericArguments) {}
    fn visit_trait_bound(&mut self, bound: &'ast syn::TraitBound) {
        if bound.lifetimes.is_none() {
            visit::visit_trait_bound(self, bound);
        }
    }
}

pub(super) fn is_static(reference: &TypeReference) -> bool {
    reference.lifetime.as_ref().is_some_and(|lifetime| lifetime.ident == "static")
}
