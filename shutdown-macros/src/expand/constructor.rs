//! The function of the item's name: takes the arguments, returns the inert value.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream};
use quote::{ToTokens as _, quote, quote_spanned};
use syn::ReturnType;

use crate::expand::argument::reissue;
use crate::expand::respanned;
use crate::model::parameter::{Parameter, ParameterKind};
use crate::model::task::{Every, Task};
use crate::parse::attributes::FnAttributes;

/// The names of the generated variables, which no name of the user can meet.
struct Internal {
    issuer: Ident,
    every: Ident,
    shutdown: Ident,
    ticks: Ident,
    result: Ident,
}

impl Internal {
    fn new() -> Self {
        let name = |text| Ident::new(text, Span::mixed_site());
        Self {
            issuer: name("issuer"),
            every: name("every"),
            shutdown: name("shutdown"),
            ticks: name("ticks"),
            result: name("result"),
        }
    }
}

/// The constructor.
pub(super) fn constructor(task: &Task, attributes: &FnAttributes) -> TokenStream {
    let names = Internal::new();
    let (name, generics, runtime) = (task.name(), &task.generics, &task.runtime);
    let types = &generics.types;
    let signature = constructor_signature(task, attributes);
    let issuer = &names.issuer;
    let (span, spec) = (name.span().resolved_at(Span::mixed_site()), spec(task));
    let takes = task.parameters.iter().map(|parameter| take(parameter, task, &names));
    let (every, every_argument) = every(task, &names);
    let future = future(task, &names);
    let marker = (!types.is_empty()).then(|| quote!(marker: ::core::marker::PhantomData,));
    let mutable = task.parameters.iter().any(|parameter| !matches!(parameter.kind, ParameterKind::Shutdown));
    let mutability = mutable.then(|| quote!(mut));
    let sees_stop = task.every.is_some() || task.shutdown().is_some();
    let shutdown = if sees_stop { names.shutdown.to_token_stream() } else { quote!(_) };
    let boxed = quote_spanned!(span=> ::std::boxed::Box::pin(#future));
    let statements = quote! {
        #[allow(unused_mut)]
        let #mutability #issuer = #runtime::TaskValue::issuer(#spec);
        #(#takes)*
        #every
        #name {
            value: #runtime::TaskValue::new(
                #spec,
                #issuer,
                #every_argument,
                move |#shutdown: #runtime::Shutdown| -> #runtime::BoxFuture<'static, #runtime::TaskResult> { #boxed },
            ),
            #marker
        }
    };
    let block = block(task, statements);
    quote!(#signature #block)
}

/// Braces at the user's own: rustc takes the whole function for the user's only if its ends are.
pub(super) fn block(task: &Task, statements: TokenStream) -> Group {
    let mut block = Group::new(Delimiter::Brace, statements);
    block.set_span(task.item.body.span());
    block
}

/// The item's own table.
fn spec(task: &Task) -> TokenStream {
    let (name, arguments) = (task.name(), &task.generics.arguments);
    let spec = spec_name();
    quote!(<#name #arguments>::#spec)
}

/// The name of the constant that holds an item's table.
pub(super) fn spec_name() -> Ident {
    Ident::new("SHUTDOWN_SPEC", Span::mixed_site())
}

/// Signature tokens keep the user's spans, so that an unused private task is reported once, on its name.
pub(super) fn constructor_signature(task: &Task, attributes: &FnAttributes) -> TokenStream {
    let (name, generics, runtime) = (task.name(), &task.generics, &task.runtime);
    let (declared, arguments, where_clause) =
        (&generics.declared, &generics.arguments, &generics.where_clause);
    let (visibility, fn_token) = (&task.item.visibility, &task.item.signature.fn_token);
    let (user, cfgs) = (&attributes.constructor, &attributes.cfgs);
    let parameters = task.parameters.iter().filter_map(|parameter| {
        let (cfgs, name, ty) = (&parameter.cfgs, &parameter.name, &parameter.ty);
        match &parameter.kind {
            ParameterKind::Shutdown => None,
            ParameterKind::Lent(resource) => {
                let span = super::first_span(ty);
                let named = runtime.at(span);
                Some(quote_spanned!(span=> #(#cfgs)* #name: &dyn #named::Lend<#resource>))
            }
            ParameterKind::State(state) => Some(quote!(#(#cfgs)* #name: #state)),
            ParameterKind::Plain => Some(quote!(#(#cfgs)* #name: #ty)),
        }
    });
    quote! {
        #(#cfgs)*
        #(#user)*
        #[track_caller]
        // The function as written has the user's signature as well, so that a lint about it speaks there, once.
        #[allow(
            clippy::too_many_arguments, clippy::needless_pass_by_value, clippy::trivially_copy_pass_by_ref,
            clippy::used_underscore_binding, clippy::missing_inline_in_public_items,
            clippy::implicit_return, clippy::shadow_reuse, clippy::shadow_same
        )]
        #visibility #fn_token #name #declared (#(#parameters),*) -> #name #arguments #where_clause
    }
}

/// Takes one argument over: a lent resource as a lease of this member's own, anything else with its leases re-issued.
fn take(parameter: &Parameter, task: &Task, names: &Internal) -> TokenStream {
    let (cfgs, name, issuer) = (&parameter.cfgs, &parameter.name, &names.issuer);
    match &parameter.kind {
        ParameterKind::Shutdown => TokenStream::new(),
        ParameterKind::Lent(resource) => {
            let runtime = &task.runtime;
            quote! {
                #(#cfgs)*
                let #name = {
                    use #runtime::NoLend as _;
                    #runtime::LendProbe::<#resource>::lend(#name, &mut #issuer)
                };
            }
        }
        ParameterKind::State(ty) => keep(parameter, ty, task, names),
        ParameterKind::Plain => keep(parameter, &parameter.ty, task, names),
    }
}

fn keep(parameter: &Parameter, ty: &syn::Type, task: &Task, names: &Internal) -> TokenStream {
    let (cfgs, name, issuer) = (&parameter.cfgs, &parameter.name, &names.issuer);
    let reissue = reissue(&quote!(#name), ty, &quote!(&mut #issuer), task.uses.is_some(), &task.runtime);
    if reissue.is_empty() {
        return TokenStream::new();
    }
    quote! {
        #(#cfgs)*
        #[allow(unused_mut)]
        let mut #name = #name;
        #(#cfgs)*
        { #reissue }
    }
}

/// The statement that evaluates the interval, and the argument that passes it on.
fn every(task: &Task, names: &Internal) -> (TokenStream, TokenStream) {
    let every = &names.every;
    let value = match &task.every {
        None => return (TokenStream::new(), quote!(::core::option::Option::None)),
        Some(Every::Millis(millis)) => quote!(::core::time::Duration::from_millis(#millis)),
        Some(Every::Expr(expr)) => {
            let views = task.parameters.iter().filter_map(|parameter| {
                let (cfgs, name) = (&parameter.cfgs, &parameter.name);
                match &parameter.kind {
                    ParameterKind::Shutdown => None,
                    ParameterKind::Lent(_) => {
                        Some(quote!(#(#cfgs)* #[allow(unused_variables)] let #name = &*#name;))
                    }
                    ParameterKind::State(_) | ParameterKind::Plain => {
                        Some(quote!(#(#cfgs)* #[allow(unused_variables)] let #name = &#name;))
                    }
                }
            });
            if task.parameters.iter().all(|parameter| matches!(parameter.kind, ParameterKind::Shutdown)) {
                quote!(#expr)
            } else {
                quote!({ #(#views)* #expr })
            }
        }
    };
    (quote!(let #every: ::core::time::Duration = #value;), quote!(::core::option::Option::Some(#every)))
}

/// The future of the whole task.
fn future(task: &Task, names: &Internal) -> TokenStream {
    let call = call(task, names);
    let span = task.name().span().resolved_at(Span::mixed_site());
    if task.every.is_none() {
        return quote_spanned!(span=> async move { #call });
    }
    let runtime = &task.runtime;
    let (every, shutdown, ticks, result) = (&names.every, &names.shutdown, &names.ticks, &names.result);
    let spec = spec(task);
    let states = task.parameters.iter().filter(|parameter| matches!(parameter.kind, ParameterKind::State(_)));
    let states = states.map(|parameter| {
        let (cfgs, name) = (&parameter.cfgs, &parameter.name);
        quote!(#(#cfgs)* let mut #name = #name;)
    });
    let loop_body = quote! {
        #(#states)*
        let mut #ticks = #runtime::Ticks::new(#spec, #every, &#shutdown);
        while #ticks.next().await {
            let #result = #call;
            #ticks.record(#result);
        }
        #ticks.finish()
    };
    quote_spanned!(span=> async move { #loop_body })
}

/// One call of the function as written, with its output in the common form.
fn call(task: &Task, names: &Internal) -> TokenStream {
    let (name, generics, runtime) = (task.name(), &task.generics, &task.runtime);
    let span = name.span().resolved_at(Span::mixed_site());
    let arguments = task.parameters.iter().map(|parameter| {
        let (cfgs, value) = (&parameter.cfgs, argument(parameter, task, names));
        quote!(#(#cfgs)* #value)
    });
    let type_arguments = &generics.arguments;
    let (output, last) = match &task.item.signature.output {
        ReturnType::Default => (span, span),
        ReturnType::Type(_, ty) => (super::first_span(ty), super::last_span(ty)),
    };
    let awaited = respanned(quote!(await), last);
    let body = quote_spanned!(output=> <#name #type_arguments>::body(#(#arguments),*).#awaited);
    if task.never_returns() {
        let result = &names.result;
        return quote!({
            #[allow(unreachable_code, clippy::diverging_sub_expression)]
            let #result: #runtime::TaskResult = #body;
            #[allow(unreachable_code)]
            #result
        });
    }
    let hidden = runtime.at(output);
    let convert = quote_spanned!(output=> #hidden::Output::into_result);
    quote!(#convert(#body))
}

fn argument(parameter: &Parameter, task: &Task, names: &Internal) -> TokenStream {
    let (name, shutdown) = (&parameter.name, &names.shutdown);
    let periodic = task.every.is_some();
    let several =
        task.parameters.iter().filter(|other| matches!(other.kind, ParameterKind::Shutdown)).count() > 1;
    match &parameter.kind {
        ParameterKind::Lent(_) => quote!(&*#name),
        ParameterKind::State(_) => quote!(&mut #name),
        ParameterKind::Shutdown if periodic || several => quote!(::core::clone::Clone::clone(&#shutdown)),
        ParameterKind::Shutdown => quote!(#shutdown),
        ParameterKind::Plain if periodic => {
            let span = super::first_span(&parameter.ty);
            let runtime = task.runtime.at(span);
            let method = Ident::new("for_iteration", super::last_span(&parameter.ty));
            quote_spanned!(span=> #runtime::EachIteration::#method(&#name))
        }
        ParameterKind::Plain => quote!(#name),
    }
}
