//! A task or a hook: the constructor, the type of its value, the function as written, and what it tells the graph.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

use crate::expand::argument::held;
use crate::expand::constructor::constructor;
use crate::expand::member::{Use, declared_uses, optional, orders};
use crate::expand::position;
use crate::model::generics::ItemGenerics;
use crate::model::parameter::{ParameterKind, holds_nothing, is_unnameable};
use crate::model::seed;
use crate::model::task::{Stop, Task};
use crate::model::unit::Unit;
use crate::parse::attributes::FnAttributes;
use crate::runtime_path::RuntimePath;

/// Expands a task or a hook without problems.
///
/// Every body, `impl` and constant costs each user of the plan: the fewest that do.
pub(crate) fn task(task: &Task) -> TokenStream {
    let attributes = FnAttributes::sort(&task.item.attributes);
    let constructor = constructor(task, &attributes);
    let body = body(task, &attributes);
    let table =
        Table { uses: uses(task), orders: orders(&task.orders, &task.runtime), behaviour: behaviour(task) };
    let declaration = declaration(task, &attributes, &table);
    quote!(#constructor #body #declaration)
}

/// What a task's table says beyond its name and its budget.
pub(super) struct Table {
    uses: Vec<Use>,
    orders: TokenStream,
    behaviour: TokenStream,
}

impl Table {
    /// Nothing, so that a refused item gives no second error.
    pub(super) fn bare(task: &Task) -> Self {
        let runtime = &task.runtime;
        Self { uses: Vec::new(), orders: TokenStream::new(), behaviour: quote!(#runtime::Behaviour::DEFAULT) }
    }
}

/// The struct of the same name in the type namespace, and what it tells the graph.
pub(super) fn declaration(task: &Task, attributes: &FnAttributes, table: &Table) -> TokenStream {
    let Table { uses, orders, behaviour } = table;
    let ItemGenerics { declared, arguments, where_clause, types, .. } = &task.generics;
    let (name, ty, visibility, runtime) =
        (task.name(), task.type_name(), &task.item.visibility, &task.runtime);
    let marker = (!types.is_empty()).then(
        || quote!(marker: ::core::marker::PhantomData<fn() -> (#(::core::marker::PhantomData<#types>,)*)>,),
    );
    let (shown, noun, cfgs) = (task.shown(), task.kind.noun(), &attributes.cfgs);
    let must_use = format!(
        "a {noun} runs only in a plan: put the value into its field; a test calls `{ty}::body(..).await`"
    );
    let kind = Ident::new(task.kind.variant(), Span::call_site());
    let (seed, line, column) = (seed(name), position("line", name), position("column", name));
    let budget = optional(task.budget);
    let own = if orders.is_empty() { quote!(from_table) } else { quote!(own) };
    let span = ty.span().resolved_at(Span::mixed_site());
    let hidden = runtime.at(span);
    quote_spanned! {span=>
        #hidden::declare_task! {
            [#(#cfgs)*] #visibility #ty [#declared] [#arguments] [#where_clause] [#marker] #must_use
            #shown #kind #seed #line, #column; #budget, #behaviour; [#(#uses)*] #own [#orders]
        }
    }
}

/// The function as written, for unit tests and for the constructor.
pub(super) fn body(task: &Task, attributes: &FnAttributes) -> TokenStream {
    let (name, visibility, generics) = (task.type_name(), &task.item.visibility, &task.generics);
    let (declared, arguments, where_clause) =
        (&generics.declared, &generics.arguments, &generics.where_clause);
    let (lifetimes, lifetime_clause) = (&generics.lifetimes, &generics.lifetime_clause);
    let signature = &task.item.signature;
    let (constness, asyncness, safety) = (&signature.constness, &signature.asyncness, &signature.safety);
    let (abi, fn_token) = (&signature.abi, &signature.fn_token);
    let (inputs, output, block) = (&signature.inputs, &signature.output, &task.item.body);
    let (user, cfgs) = (&attributes.body, &attributes.cfgs);
    // The visibility's own tokens would make rustc point at the user's line for what is generated.
    let span = Span::mixed_site();
    let body = quote_spanned!(span=> body);
    quote! {
        #(#cfgs)*
        impl #declared #name #arguments #where_clause {
            /// The function as written.
            #[cfg_attr(clippy, allow(clippy::missing_errors_doc, clippy::missing_panics_doc, clippy::unused_async))]
            #(#user)*
            // Last, since the user's lints are on both: an unused task, and a private type in its signature, are reported
            // once, on its constructor.
            #[allow(dead_code, private_interfaces, unreachable_pub)]
            #visibility #constness #asyncness #safety #abi #fn_token #body #lifetimes (#inputs) #output #lifetime_clause #block
        }
    }
}

fn uses(task: &Task) -> Vec<Use> {
    let runtime = &task.runtime;
    let of = |parameter: &crate::model::parameter::Parameter| {
        let held = match &parameter.kind {
            ParameterKind::Shutdown => return None,
            ParameterKind::Lent(resource) => {
                let span = super::first_span(resource);
                let named = runtime.at(span);
                quote_spanned!(span=> <#resource as #named::ResourceSpec>::HELD)
            }
            ParameterKind::State(ty) => held(ty, runtime),
            ParameterKind::Plain => held(&parameter.ty, runtime),
        };
        let asked = parameter.kept().is_none_or(|ty| !holds_nothing(ty) && !is_unnameable(ty));
        let use_of = Use::new(&parameter.cfgs, &held, &parameter.how, false, runtime);
        asked.then_some(use_of)
    };
    let mut uses: Vec<Use> = task.parameters.iter().filter_map(of).collect();
    uses.extend(declared_uses(task.uses.as_deref(), runtime));
    uses
}

fn behaviour(task: &Task) -> TokenStream {
    let runtime = &task.runtime;
    let base = if task.every.is_some() { quote!(PERIODIC) } else { quote!(DEFAULT) };
    let stop = task.stop.as_ref().map(|(_, stop)| {
        let variant = match stop {
            Stop::Signal => quote!(Signal),
            Stop::Drop => quote!(Drop),
            Stop::Input => quote!(Input),
        };
        quote!(stop: #runtime::StopMode::#variant,)
    });
    let on_error = task.logs_errors.map(|logs| {
        let variant = if logs { quote!(Log) } else { quote!(Shutdown) };
        quote!(on_error: #runtime::OnError::#variant,)
    });
    let on_exit = task.on_exit.as_ref().map(|(_, place)| {
        let variant = match place {
            0 => quote!(Fail),
            1 => quote!(Shutdown),
            _ => quote!(Continue),
        };
        quote!(on_exit: #runtime::OnExit::#variant,)
    });
    let unit = task.unit.as_ref().map(|unit| {
        let unit = optional(Some(unit_of(unit, runtime)));
        quote!(unit: #unit,)
    });
    let fail_after = task.iterations.fail_after.as_ref().map(|(_, errors)| {
        let errors = optional(Some(*errors));
        quote!(fail_after: #errors,)
    });
    let last = task.iterations.last.as_ref().map(|_| quote!(last: true,));
    let at_drain = task.at_drain.as_ref().map(|_| quote!(at_drain: true,));
    let ready = task.ready.as_ref().map(|ready| {
        let within = optional(Some(ready.within));
        quote!(ready_within: #within,)
    });
    let keys = [stop, on_error, on_exit, unit, fail_after, last, ready, at_drain];
    let written: Vec<_> = keys.iter().flatten().collect();
    if written.is_empty() {
        return quote!(#runtime::Behaviour::#base);
    }
    // Some are always left: `on_exit` is never written beside those of a periodic task.
    quote!(#runtime::Behaviour { #(#written)* ..#runtime::Behaviour::#base })
}

/// How long one unit may take, as the graph's tables have it.
fn unit_of(unit: &Unit, runtime: &RuntimePath) -> TokenStream {
    let time = unit.time.value;
    match &unit.batch {
        None => quote!(#runtime::Unit::Whole(#time)),
        Some(batch) => {
            let items = batch.items;
            quote!(#runtime::Unit::Batch { items: #items, per_item: #time })
        }
    }
}
