//! A task or a hook: the constructor, the type of its value, the function as written, and what it tells the graph.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens as _, quote, quote_spanned};

use crate::expand::argument::held;
use crate::expand::constructor::{constructor, spec_name};
use crate::expand::member::{Member, Use, declared_uses, item_impl, optional};
use crate::model::parameter::{ParameterKind, holds_nothing, is_unnameable};
use crate::model::task::{FnKind, Stop, Task};
use crate::model::unit::Unit;
use crate::parse::attributes::FnAttributes;
use crate::runtime_path::RuntimePath;

/// Expands a task or a hook without problems.
pub(crate) fn task(task: &Task) -> TokenStream {
    let attributes = FnAttributes::sort(&task.item.attributes);
    let constructor = constructor(task, &attributes);
    let value = value_type(task, &attributes);
    let body = body(task, &attributes, &member(task));
    let cfgs = &attributes.cfgs;
    let phase = phase(task);
    quote! {
        #constructor
        #value
        #body
        #(#cfgs)*
        const _: () = {
            #phase
        };
    }
}

/// The struct of the same name in the type namespace. Braced, since any other form would claim the function's name too.
pub(super) fn value_type(task: &Task, attributes: &FnAttributes) -> TokenStream {
    let (name, visibility, runtime) = (task.name(), &task.item.visibility, &task.runtime);
    let (declared, where_clause, types) =
        (&task.generics.declared, &task.generics.where_clause, &task.generics.types);
    let cfgs = &attributes.cfgs;
    let (shown, noun) = (task.shown(), task.kind.noun());
    let text = format!(
        "a {noun} runs only in a plan: put the value into its field; a test calls `{shown}::body(..).await`"
    );
    let marker = (!types.is_empty()).then(
        || quote!(marker: ::core::marker::PhantomData<fn() -> (#(::core::marker::PhantomData<#types>,)*)>,),
    );
    quote! {
        #(#cfgs)*
        #[doc(hidden)]
        #[must_use = #text]
        #[allow(non_camel_case_types, dead_code, unreachable_pub)]
        #visibility struct #name #declared #where_clause {
            value: #runtime::TaskValue,
            #marker
        }
    }
}

/// So that a plan can derive `Debug`.
fn debug(task: &Task) -> TokenStream {
    let (name, generics) = (task.name(), &task.generics);
    let (declared, arguments, where_clause) =
        (&generics.declared, &generics.arguments, &generics.where_clause);
    quote! {
        #[automatically_derived]
        impl #declared ::core::fmt::Debug for #name #arguments #where_clause {
            fn fmt(&self, formatter: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::fmt::Debug::fmt(&self.value, formatter)
            }
        }
    }
}

/// The function as written, for unit tests and for the constructor.
pub(super) fn body(task: &Task, attributes: &FnAttributes, member: &TokenStream) -> TokenStream {
    let (name, visibility, generics) = (task.name(), &task.item.visibility, &task.generics);
    let (declared, arguments, where_clause) =
        (&generics.declared, &generics.arguments, &generics.where_clause);
    let (lifetimes, lifetime_clause) = (&generics.lifetimes, &generics.lifetime_clause);
    let signature = &task.item.signature;
    let (asyncness, safety, fn_token) = (&signature.asyncness, &signature.safety, &signature.fn_token);
    let (inputs, output, block) = (&signature.inputs, &signature.output, &task.item.body);
    let (user, cfgs) = (&attributes.body, &attributes.cfgs);
    // The visibility's own tokens would make rustc point at the user's line for what is generated.
    let span = Span::mixed_site();
    let body = quote_spanned!(span=> body);
    let (spec, member, runtime) = (spec_name(), member, &task.runtime);
    quote! {
        #(#cfgs)*
        impl #declared #name #arguments #where_clause {
            const #spec: &'static #runtime::MemberSpec = &#member;

            /// The function as written.
            #[allow(dead_code, unreachable_pub, clippy::missing_errors_doc, clippy::missing_panics_doc, clippy::unused_async)]
            #(#user)*
            #visibility #asyncness #safety #fn_token #body #lifetimes (#inputs) #output #lifetime_clause #block
        }
    }
}

/// `impl Item` and `impl Phase`.
pub(super) fn phase(task: &Task) -> TokenStream {
    let (name, runtime, generics) = (task.name(), &task.runtime, &task.generics);
    let (declared, arguments, where_clause) =
        (&generics.declared, &generics.arguments, &generics.where_clause);
    let head = |what: &str| {
        let span = name.span().resolved_at(Span::mixed_site());
        let (runtime, what) = (runtime.at(span), proc_macro2::Ident::new(what, span));
        quote_spanned!(span=> impl #declared #runtime::#what for #name #arguments #where_clause)
    };
    let item = item_impl(name, &head("Item"), runtime);
    let spec = spec_name();
    let phase = head("Phase");
    let enlist = match task.kind {
        FnKind::Task => quote!(task),
        FnKind::Hook => quote!(hook),
    };
    let debug = debug(task);
    quote! {
        #item
        #debug

        #[automatically_derived]
        #phase {
            const NODE: &'static #runtime::Node = &#runtime::Node::Member(Self::#spec);

            fn enlist(self, phase: &mut #runtime::PhaseBuilder) {
                phase.#enlist(self.value);
            }
        }
    }
}

fn member(task: &Task) -> TokenStream {
    let runtime = &task.runtime;
    let kind = match task.kind {
        FnKind::Task => "Task",
        FnKind::Hook => "Hook",
    };
    let mut uses = uses(task);
    uses.extend(declared_uses(task.uses.as_deref(), runtime));
    Member {
        name: task.name(),
        kind,
        budget: task.budget,
        uses,
        orders: &task.orders,
        behaviour: behaviour(task),
        runtime,
    }
    .to_token_stream()
}

fn uses(task: &Task) -> Vec<Use> {
    let runtime = &task.runtime;
    let of = |parameter: &crate::model::parameter::Parameter| {
        let held = match &parameter.kind {
            ParameterKind::Shutdown => return None,
            ParameterKind::Lent(resource) => {
                let span = super::first_span(resource);
                let named = runtime.at(span);
                quote_spanned!(span=> &#named::Held::One(&<#resource as #named::ResourceSpec>::NAME))
            }
            ParameterKind::State(ty) => held(ty, runtime),
            ParameterKind::Plain => held(&parameter.ty, runtime),
        };
        let asked = parameter.kept().is_none_or(|ty| !holds_nothing(ty) && !is_unnameable(ty));
        let use_of = Use { cfgs: parameter.cfgs.clone(), held, how: parameter.how.clone(), declared: false };
        asked.then_some(use_of)
    };
    task.parameters.iter().filter_map(of).collect()
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
    let written = [&stop, &on_error, &on_exit, &unit].into_iter().flatten().count();
    if written == 0 {
        return quote!(#runtime::Behaviour::#base);
    }
    let rest = (written < 4).then(|| quote!(..#runtime::Behaviour::#base));
    quote!(#runtime::Behaviour { #stop #on_error #on_exit #unit #rest })
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
