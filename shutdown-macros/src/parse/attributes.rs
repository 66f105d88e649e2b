//! Sorts an item's attributes into ours and the user's, and the user's by where they belong.

use proc_macro2::TokenStream;
use syn::{Attribute, Meta};

use crate::names::{PHASE, SHUTDOWN_ORDER};

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

/// Only the `#[cfg]`s among the attributes.
pub(crate) fn cfgs(attributes: &[Attribute]) -> Vec<Attribute> {
    attributes.iter().filter(|attribute| attribute.path().is_ident("cfg")).cloned().collect()
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
                _ => sorted.body.push(attribute.clone()),
            }
        }
        sorted
    }
}
