//! A resource, and a struct of leases.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Expr, Ident, ItemStruct, Member, Type};

use crate::diag::Problems;
use crate::diag::text::text;
use crate::model::once::declared_once;
use crate::model::order::{Order, orders};
use crate::names::{DERIVE_KEYS, RESOURCE_KEYS, SHUTDOWN_ORDER};
use crate::parse::arguments::Arguments;
use crate::parse::attributes::{self, cfgs, list_tokens};
use crate::parse::duration::{UNKNOWN, duration};
use crate::runtime_path::RuntimePath;

/// One field of a struct.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    /// Its `#[cfg]`s.
    pub(crate) cfgs: Vec<syn::Attribute>,
    /// Its name or its number.
    pub(crate) member: Member,
    /// Its type.
    pub(crate) ty: Type,
    /// How a message names it: `` holds `Lease<Db>` in `db` ``.
    pub(crate) how: String,
}

impl Field {
    /// The `cfg` predicate under which it is there.
    pub(crate) fn condition(&self) -> TokenStream {
        let conditions = self.cfgs.iter().map(list_tokens);
        quote!(all(#(#conditions),*))
    }
}

/// The fields of a struct.
pub(crate) fn fields(item: &ItemStruct) -> Vec<Field> {
    item.fields
        .iter()
        .zip(item.fields.members())
        .map(|(field, member)| {
            let name = match &member {
                Member::Named(name) => crate::parse::plain(name),
                Member::Unnamed(index) => index.index.to_string(),
            };
            let how = format!("holds `{}` in `{name}`", text(&field.ty));
            Field { cfgs: cfgs(&field.attrs), member, ty: field.ty.clone(), how }
        })
        .collect()
}

/// A declared resource.
#[derive(Clone, Debug)]
pub(crate) struct Resource {
    /// The struct without our attributes.
    pub(crate) item: ItemStruct,
    /// Where the runtime is.
    pub(crate) runtime: RuntimePath,
    /// What closes it; without it, its `Close`.
    pub(crate) close: Option<Expr>,
    /// The written budget, in milliseconds.
    pub(crate) budget: Option<u64>,
    /// The resources that it declares to use.
    pub(crate) uses: Option<Vec<Type>>,
    /// The orders that travel with it.
    pub(crate) orders: Vec<Order>,
    /// Its fields.
    pub(crate) fields: Vec<Field>,
    /// The `Clone` of its `#[derive]`, or its name: what must change if it is `Clone`.
    pub(crate) must_change: Ident,
}

impl Resource {
    /// Reads the attribute and the struct.
    pub(crate) fn new(arguments: TokenStream, mut item: ItemStruct, problems: &mut Problems) -> Self {
        let mut arguments = Arguments::parse("resource", RESOURCE_KEYS, arguments, problems);
        let runtime = arguments.take_crate();
        let close = arguments.take_expr("close", problems).map(|(_, value)| value);
        let budget = arguments.take_expr("budget", problems).map(|(_, value)| {
            duration("budget", &value, false, problems).map_or(UNKNOWN, |millis| millis.value)
        });
        let uses = arguments.take_types("uses", problems).map(|(_, types)| types);
        let order_attributes = attributes::take(&mut item.attrs, SHUTDOWN_ORDER);
        let orders = orders(&order_attributes, &item.ident, problems);
        declared_once("resource", &item.ident, &mut item.attrs, problems);
        let fields = fields(&item);
        let must_change = derived_clone(&item).unwrap_or_else(|| item.ident.clone());
        Self { item, runtime, close, budget, uses, orders, fields, must_change }
    }
}

fn derived_clone(item: &ItemStruct) -> Option<Ident> {
    item.attrs.iter().filter(|attribute| attribute.path().is_ident("derive")).find_map(|attribute| {
        let tokens = crate::model::generics::flatten(list_tokens(attribute));
        tokens.into_iter().find_map(|token| match token {
            proc_macro2::TokenTree::Ident(ident) if ident == "Clone" => Some(ident),
            _ => None,
        })
    })
}

/// A struct with `#[derive(Uses)]`.
#[derive(Clone, Debug)]
pub(crate) struct Holder {
    /// The struct.
    pub(crate) item: ItemStruct,
    /// Where the runtime is.
    pub(crate) runtime: RuntimePath,
    /// Its fields.
    pub(crate) fields: Vec<Field>,
}

impl Holder {
    /// Reads the struct and its `#[uses(crate = path)]`.
    pub(crate) fn new(item: ItemStruct, problems: &mut Problems) -> Self {
        let mut tokens = TokenStream::new();
        for attribute in item.attrs.iter().filter(|attribute| attribute.path().is_ident("uses")) {
            let list = list_tokens(attribute);
            tokens.extend(quote!(#list,));
        }
        let runtime = Arguments::parse("uses", DERIVE_KEYS, tokens, problems).take_crate();
        let fields = fields(&item);
        Self { item, runtime, fields }
    }
}
