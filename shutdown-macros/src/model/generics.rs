//! A function's generics, divided between the generated type and the function as written.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{GenericParam, Generics, Ident, Lifetime, WherePredicate};

/// Type and const parameters with their bounds go to the type; lifetimes stay with the function.
#[derive(Clone, Debug, Default)]
pub(crate) struct ItemGenerics {
    /// `<T: Bound, const N: usize>`, or nothing.
    pub(crate) declared: TokenStream,
    /// `<T, N>`, or nothing.
    pub(crate) arguments: TokenStream,
    /// `where ...`, or nothing.
    pub(crate) where_clause: TokenStream,
    /// `<'a, 'b: 'a>`, or nothing: what the function as written keeps.
    pub(crate) lifetimes: TokenStream,
    /// The predicates on lifetimes alone, which stay with them.
    pub(crate) lifetime_clause: TokenStream,
    /// The names of the type parameters.
    pub(crate) types: Vec<Ident>,
}

impl ItemGenerics {
    /// Divides them.
    pub(crate) fn divide(generics: &Generics) -> Self {
        let lifetimes: Vec<&Lifetime> = generics.lifetimes().map(|parameter| &parameter.lifetime).collect();
        let mut declared = Vec::new();
        let mut arguments = Vec::new();
        let mut predicates = Vec::new();
        let mut lifetime_predicates = Vec::new();
        let mut types = Vec::new();
        for parameter in &generics.params {
            match parameter {
                GenericParam::Lifetime(_) => {}
                GenericParam::Type(parameter) => {
                    let (attributes, ident, bounds) = (&parameter.attrs, &parameter.ident, &parameter.bounds);
                    types.push(ident.clone());
                    arguments.push(quote!(#ident));
                    if names_lifetime(bounds, &lifetimes) {
                        declared.push(quote!(#(#attributes)* #ident));
                        predicates.push(quote!(for<#(#lifetimes),*> #ident: #bounds));
                    } else {
                        let colon = &parameter.colon_token;
                        declared.push(quote!(#(#attributes)* #ident #colon #bounds));
                    }
                }
                GenericParam::Const(parameter) => {
                    let (attributes, ident, ty) = (&parameter.attrs, &parameter.ident, &parameter.ty);
                    arguments.push(quote!(#ident));
                    declared.push(quote!(#(#attributes)* const #ident: #ty));
                }
            }
        }
        for predicate in generics.where_clause.iter().flat_map(|clause| &clause.predicates) {
            match predicate {
                WherePredicate::Lifetime(predicate) => lifetime_predicates.push(quote!(#predicate)),
                // A task outlives every borrow of its caller, so what it needs of one lifetime it needs of all.
                WherePredicate::Type(ty) if names_lifetime(predicate, &lifetimes) => {
                    let bound = ty.lifetimes.iter().flat_map(|bound| &bound.lifetimes);
                    let (bounded, bounds) = (&ty.bounded_ty, &ty.bounds);
                    predicates.push(quote!(for<#(#lifetimes,)* #(#bound),*> #bounded: #bounds));
                }
                other => predicates.push(quote!(#other)),
            }
        }
        let kept: Vec<_> = generics.lifetimes().collect();
        Self {
            declared: angles(&declared),
            arguments: angles(&arguments),
            where_clause: clause(&predicates),
            lifetimes: angles(&kept.iter().map(ToTokens::to_token_stream).collect::<Vec<_>>()),
            lifetime_clause: clause(&lifetime_predicates),
            types,
        }
    }
}

fn angles(list: &[TokenStream]) -> TokenStream {
    if list.is_empty() { TokenStream::new() } else { quote!(<#(#list),*>) }
}

fn clause(list: &[TokenStream]) -> TokenStream {
    if list.is_empty() { TokenStream::new() } else { quote!(where #(#list),*) }
}

fn names_lifetime(tokens: &impl ToTokens, lifetimes: &[&Lifetime]) -> bool {
    let mut previous = false;
    flatten(tokens.to_token_stream()).into_iter().any(|token| {
        let after_apostrophe = previous;
        previous = matches!(&token, proc_macro2::TokenTree::Punct(punct) if punct.as_char() == '\'');
        match token {
            proc_macro2::TokenTree::Ident(ident) => {
                after_apostrophe && lifetimes.iter().any(|lifetime| lifetime.ident == ident)
            }
            _ => false,
        }
    })
}

/// All tokens in order, those inside groups too.
pub(crate) fn flatten(tokens: TokenStream) -> Vec<proc_macro2::TokenTree> {
    let mut flat = Vec::new();
    for token in tokens {
        match token {
            proc_macro2::TokenTree::Group(group) => flat.extend(flatten(group.stream())),
            other => flat.push(other),
        }
    }
    flat
}
