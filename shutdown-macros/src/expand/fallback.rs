//! What is still emitted for an item with problems: the item itself, and stubs that save it from follow-up errors.

use proc_macro2::TokenStream;
use quote::quote;

use crate::check::is_method;
use crate::expand::constructor::{block, constructor_signature};
use crate::expand::task::Table;
use crate::expand::{hold, plan as plan_expansion, resource as resource_expansion, task as task_expansion};
use crate::model::entry::Main;
use crate::model::plan::Plan;
use crate::model::resource::{Holder, Resource};
use crate::model::task::Task;
use crate::parse::attributes::FnAttributes;

/// A task or a hook: its constructor, type and body, with a table that uses nothing.
pub(crate) fn task(task: &Task) -> TokenStream {
    if is_method(&task.item.signature) {
        let item = &task.item;
        return quote!(#item);
    }
    let attributes = FnAttributes::sort(&task.item.attributes);
    let signature = constructor_signature(task, &attributes);
    let body = task_expansion::body(task, &attributes);
    let declaration = task_expansion::declaration(task, &attributes, &Table::bare(task));
    let block = block(task, quote!(loop {}));
    quote! {
        #[allow(unused_variables, clippy::empty_loop)]
        #signature #block
        // What the body leaves unused may be what the repair will use.
        #[allow(unused_variables, unused_mut)]
        #body
        #declaration
    }
}

/// A resource: its struct, and a table that uses nothing.
pub(crate) fn resource(resource: &Resource) -> TokenStream {
    let item = &resource.item;
    if !item.generics.params.is_empty() {
        return quote!(#item);
    }
    let mut bare = resource.clone();
    bare.fields.clear();
    bare.orders.clear();
    bare.uses = None;
    let item_impl = resource_expansion::item_impl(resource);
    let spec_impl = resource_expansion::spec_impl(&bare, &quote!(loop {}));
    quote! {
        #item
        #[allow(unused_variables, clippy::empty_loop)]
        const _: () = { #item_impl #spec_impl };
    }
}

/// A struct of leases: an implementation that holds nothing.
pub(crate) fn holder(holder: &Holder) -> TokenStream {
    hold::stub(holder)
}

/// A plan: its struct, and methods that do nothing.
pub(crate) fn plan(plan: &Plan) -> TokenStream {
    plan_expansion::stub(plan)
}

/// `main`: a function of that name that type-checks the body, so that rustc does not miss a `main`.
pub(crate) fn entry(main: &Main) -> TokenStream {
    let Main { item, .. } = main;
    let name = &item.signature.ident;
    let (attributes, fn_token) = (&item.attributes, &item.signature.fn_token);
    let mut inner = item.clone();
    inner.attributes.clear();
    inner.visibility = syn::Visibility::Inherited;
    if item.signature.receiver().is_some() {
        return quote!(#item);
    }
    quote! {
        #(#attributes)*
        #[allow(dead_code, unused_variables)]
        #fn_token #name() {
            #inner
        }
    }
}
