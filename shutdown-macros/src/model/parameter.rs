//! The parameters of a task or a hook, by what they mean.

use proc_macro2::Span;
use syn::punctuated::Punctuated;
use syn::visit::Visit;
use syn::{Attribute, FnArg, GenericArgument, Ident, Pat, PatType, PathArguments, Token, Type};

use crate::diag::Problems;
use crate::diag::text::text;
use crate::model::borrow::{inner_borrow, is_static, mutable_borrow, not_lendable, unsized_state};
use crate::names::SHUTDOWN;
use crate::parse::attributes::cfgs;
use crate::parse::unwrap_type;

/// One parameter.
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    /// Its `#[cfg]`s, carried along wherever it is named.
    pub(crate) cfgs: Vec<Attribute>,
    /// The name by which the constructor calls it.
    pub(crate) name: Ident,
    /// Whether that is the user's own name for it.
    pub(crate) is_named: bool,
    /// Its type as written.
    pub(crate) ty: Type,
    /// What it means.
    pub(crate) kind: ParameterKind,
    /// How a message names it: `` takes `db: &Db` ``.
    pub(crate) how: String,
}

/// What a parameter means, by its type.
#[derive(Clone, Debug)]
pub(crate) enum ParameterKind {
    /// `&T`: a resource, lent for as long as the task runs.
    Lent(Type),
    /// The task's view of the stop.
    Shutdown,
    /// `&mut T` of a periodic task: state that the loop owns.
    State(Type),
    /// Anything else: an argument of the call.
    Plain,
}

impl Parameter {
    /// The type whose value the constructor takes and the task keeps, unless it is lent or the stop.
    pub(crate) fn kept(&self) -> Option<&Type> {
        match &self.kind {
            ParameterKind::Plain => Some(&self.ty),
            ParameterKind::State(ty) => Some(ty),
            ParameterKind::Lent(_) | ParameterKind::Shutdown => None,
        }
    }

    /// The resource of which it gives a handle: of `&T` and of `Lease<T>`.
    pub(crate) fn lends(&self) -> bool {
        match &self.kind {
            ParameterKind::Lent(_) => true,
            ParameterKind::State(ty) => lease(ty),
            ParameterKind::Plain => lease(&self.ty),
            ParameterKind::Shutdown => false,
        }
    }
}

fn lease(ty: &Type) -> bool {
    match unwrap_type(ty) {
        Type::Path(path) => names_lease(path),
        _ => false,
    }
}

/// Reads the parameters; those that borrow are refused.
pub(crate) fn parameters(
    inputs: &Punctuated<FnArg, Token![,]>,
    periodic: bool,
    problems: &mut Problems,
) -> Vec<Parameter> {
    let typed = inputs.iter().filter_map(|input| match input {
        FnArg::Typed(typed) => Some(typed),
        FnArg::Receiver(_) => None,
    });
    typed.enumerate().map(|(number, typed)| parameter(number, typed, periodic, problems)).collect()
}

fn parameter(number: usize, typed: &PatType, periodic: bool, problems: &mut Problems) -> Parameter {
    let name = match &*typed.pat {
        Pat::Ident(pattern) => pattern.ident.clone(),
        _ => Ident::new(&format!("argument_{}", number + 1), Span::mixed_site()),
    };
    let is_named = matches!(&*typed.pat, Pat::Ident(_));
    let written = match &*typed.pat {
        Pat::Ident(pattern) => crate::parse::plain(&pattern.ident),
        pattern => text(pattern),
    };
    let how = format!("takes `{written}: {}`", text(&typed.ty));
    let kind = kind(&written, &typed.ty, periodic, problems);
    Parameter { cfgs: cfgs(&typed.attrs), name, is_named, ty: (*typed.ty).clone(), kind, how }
}

fn kind(name: &str, ty: &Type, periodic: bool, problems: &mut Problems) -> ParameterKind {
    let kind = match unwrap_type(ty) {
        ty if is_shutdown(ty) => return ParameterKind::Shutdown,
        Type::Reference(reference) if is_static(reference) && reference.mutability.is_none() => {
            ParameterKind::Plain
        }
        Type::Reference(reference) if reference.mutability.is_some() => {
            let inner = unwrap_type(&reference.elem);
            if !periodic {
                problems.push(mutable_borrow(name, ty, inner));
            } else if let Some(problem) = unsized_state(name, ty, inner) {
                problems.push(problem);
                return ParameterKind::Plain;
            }
            ParameterKind::State(inner.clone())
        }
        Type::Reference(reference) => {
            let inner = unwrap_type(&reference.elem);
            if let Some(problem) = not_lendable(name, ty, inner) {
                problems.push(problem);
                return if is_shutdown(inner) { ParameterKind::Shutdown } else { ParameterKind::Plain };
            }
            ParameterKind::Lent(inner.clone())
        }
        _ => ParameterKind::Plain,
    };
    let inner = match &kind {
        ParameterKind::Lent(inner) | ParameterKind::State(inner) => inner,
        _ => ty,
    };
    if let Some(problem) = inner_borrow(name, inner) {
        problems.push(problem);
    }
    kind
}

pub(super) fn is_shutdown(ty: &Type) -> bool {
    matches!(ty, Type::Path(path) if path.qself.is_none()
        && path.path.segments.last().is_some_and(|last| last.ident == SHUTDOWN))
}

/// The types whose values a type may hold and thereby hide: its type arguments, and theirs.
pub(crate) fn inner_types(ty: &Type) -> Vec<&Type> {
    let mut found = Vec::new();
    for inner in direct_inner_types(ty) {
        found.push(inner);
        found.extend(inner_types(inner));
    }
    found
}

/// A type's own type arguments, as far as a value of them can be asked.
pub(crate) fn direct_inner_types(ty: &Type) -> Vec<&Type> {
    let inner: Vec<&Type> = match unwrap_type(ty) {
        // What a leased resource holds is the resource's own affair.
        Type::Path(path) if names_lease(path) => Vec::new(),
        Type::Path(path) => path.path.segments.iter().flat_map(type_arguments).collect(),
        Type::Tuple(tuple) => tuple.elems.iter().collect(),
        Type::Array(array) => vec![&array.elem],
        Type::Slice(slice) => vec![&slice.elem],
        _ => Vec::new(),
    };
    inner.into_iter().filter(|inner| can_be_asked(inner)).collect()
}

/// Whether it is written as a `Lease<T>`.
pub(crate) fn names_lease(path: &syn::TypePath) -> bool {
    path.path.segments.last().is_some_and(|segment| segment.ident == "Lease")
}

pub(super) fn type_arguments(segment: &syn::PathSegment) -> Vec<&Type> {
    let PathArguments::AngleBracketed(arguments) = &segment.arguments else { return Vec::new() };
    let types = arguments.args.iter().filter_map(|argument| match argument {
        GenericArgument::Type(inner) => Some(inner),
        _ => None,
    });
    types.collect()
}

fn can_be_asked(ty: &Type) -> bool {
    !matches!(unwrap_type(ty), Type::TraitObject(_) | Type::FnPtr(_) | Type::Reference(_) | Type::Infer(_))
}

/// Types that plainly hold nothing, so that asking them would only cost time.
pub(crate) fn holds_nothing(ty: &Type) -> bool {
    const PRIMITIVES: &[&str] = &[
        "bool", "char", "String", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64",
        "i128", "isize", "f32", "f64", "str",
    ];
    match unwrap_type(ty) {
        Type::Path(path) => {
            path.path.get_ident().is_some_and(|ident| PRIMITIVES.iter().any(|name| ident == name))
        }
        Type::Reference(_) | Type::FnPtr(_) => true,
        Type::Tuple(tuple) => tuple.elems.is_empty(),
        _ => false,
    }
}

/// Whether a type contains `impl Trait`, and so has no name.
pub(crate) fn is_unnameable(ty: &Type) -> bool {
    struct Search(bool);
    impl<'ast> Visit<'ast> for Search {
        fn visit_type_impl_trait(&mut self, _: &'ast syn::TypeImplTrait) {
            self.0 = true;
        }
    }
    let mut search = Search(false);
    search.visit_type(ty);
    search.0
}
