//! The function of the item's name: takes the arguments, returns the inert value.

use proc_macro2::{Delimiter, Group, Ident, Literal, Span, TokenStream};
use quote::{ToTokens as _, quote, quote_spanned};
use syn::{Attribute, ReturnType, Type};

use crate::expand::argument::reissue;
use crate::model::parameter::{Parameter, ParameterKind};
use crate::model::task::{Every, Task};
use crate::parse::attributes::{FnAttributes, list_tokens};

/// The names of the generated variables. A variable of the user cannot meet them; a static or a constant could, hence the
/// underscores.
struct Internal {
    issuer: Ident,
    every: Ident,
    lent: Ident,
    state: Ident,
    shutdown: Ident,
}

impl Internal {
    fn new() -> Self {
        let name = |text| Ident::new(text, Span::mixed_site());
        Self {
            issuer: name("__issuer"),
            every: name("__every"),
            lent: name("__lent"),
            state: name("__state"),
            shutdown: name("__shutdown"),
        }
    }
}

/// The constructor.
pub(super) fn constructor(task: &Task, attributes: &FnAttributes) -> TokenStream {
    let names = Internal::new();
    let (runtime, arguments) = (&task.runtime, &task.generics.arguments);
    let (ty, issuer) = (task.type_name(), &names.issuer);
    let signature = constructor_signature(task, attributes);
    let begin = quote!(#runtime::issuer(<#ty #arguments as #runtime::TaskSpec>::SPEC));
    let takes: TokenStream = task.parameters.iter().map(|parameter| take(parameter, task, &names)).collect();
    let every = every(task, &names);
    // Most tasks are lent all that they have: theirs is one expression.
    let (begin, issuer) = if takes.is_empty() {
        (TokenStream::new(), begin)
    } else {
        (quote!(let mut #issuer = #begin;), issuer.to_token_stream())
    };
    let value = value(task, &names, &issuer);
    let marker = (!task.generics.types.is_empty()).then(|| quote!(marker: ::core::marker::PhantomData,));
    let block = block(task, quote!(#begin #takes #every #ty { value: #value, #marker }));
    quote!(#signature #block)
}

/// Braces at the user's own: rustc takes the whole function for the user's only if its ends are.
pub(super) fn block(task: &Task, statements: TokenStream) -> Group {
    let mut block = Group::new(Delimiter::Brace, statements);
    block.set_span(task.item.body.span());
    block
}

/// Signature tokens keep the user's spans, so that an unused private task is reported once, on its name.
pub(super) fn constructor_signature(task: &Task, attributes: &FnAttributes) -> TokenStream {
    let (name, ty, generics, runtime) = (task.name(), task.type_name(), &task.generics, &task.runtime);
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
        // Only where clippy reads it: each name of a lint costs every `cargo check`, for every task.
        #[cfg_attr(clippy, allow(clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction))]
        #visibility #fn_token #name #declared (#(#parameters),*) -> #ty #arguments #where_clause
    }
}

/// Re-issues the leases inside one argument to this member; what is lent is taken when the value is made.
fn take(parameter: &Parameter, task: &Task, names: &Internal) -> TokenStream {
    match &parameter.kind {
        ParameterKind::Shutdown | ParameterKind::Lent(_) => TokenStream::new(),
        ParameterKind::State(ty) => keep(parameter, ty, task, names),
        ParameterKind::Plain => keep(parameter, &parameter.ty, task, names),
    }
}

fn keep(parameter: &Parameter, ty: &Type, task: &Task, names: &Internal) -> TokenStream {
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

/// The statement that evaluates the interval, which sees the parameters by reference.
fn every(task: &Task, names: &Internal) -> TokenStream {
    let (every, runtime) = (&names.every, &task.runtime);
    let value = match &task.every {
        None => return TokenStream::new(),
        Some(Every::Millis(millis)) => quote!(::core::time::Duration::from_millis(#millis)),
        Some(Every::Expr(expr)) => {
            let views = task.parameters.iter().filter_map(|parameter| {
                let (cfgs, name) = (&parameter.cfgs, &parameter.name);
                let view = match &parameter.kind {
                    ParameterKind::Shutdown => return None,
                    ParameterKind::Lent(_) => quote!(#runtime::Lend::value(#name)),
                    ParameterKind::State(_) | ParameterKind::Plain => quote!(&#name),
                };
                Some(quote!(#(#cfgs)* #[allow(unused_variables)] let #name = #view;))
            });
            let views: Vec<_> = views.collect();
            if views.is_empty() { quote!(#expr) } else { quote!({ #(#views)* #expr }) }
        }
    };
    quote!(let #every: ::core::time::Duration = #value;)
}

/// The call of the runtime that makes the value: what is lent, the state, and the function as written as a closure.
///
/// No future is made here. One that owned what it borrows from would have to be checked for `Send` once more for every
/// task; the runtime has it once for all.
fn value(task: &Task, names: &Internal, issuer: &TokenStream) -> TokenStream {
    let (runtime, every) = (&task.runtime, &names.every);
    let lent = loans(&kept(task, |kind| matches!(kind, ParameterKind::Lent(_))));
    let call = call(task, names);
    if task.every.is_some() {
        let state = kept(task, |kind| matches!(kind, ParameterKind::State(_)));
        quote!(#runtime::periodic(#issuer, #every, (#lent, (#(#state,)*)), #call))
    } else {
        quote!(#runtime::once(#issuer, #lent, #call))
    }
}

/// The arguments of one kind; one that is compiled out leaves its place to `()`.
fn kept(task: &Task, is_kept: impl Fn(&ParameterKind) -> bool) -> Vec<TokenStream> {
    let kept = task.parameters.iter().filter(|parameter| is_kept(&parameter.kind));
    kept.map(|parameter| where_compiled(&parameter.cfgs, parameter.name.to_token_stream())).collect()
}

/// How many loans one tuple holds; more stand in further tuples inside it.
const LOANS: usize = 8;

fn loans(loans: &[TokenStream]) -> TokenStream {
    if loans.len() <= LOANS {
        return quote!((#(#loans,)*));
    }
    let (first, others) = loans.split_at(LOANS - 1);
    let others = self::loans(others);
    quote!((#(#first,)* #others))
}

/// Where a loan stands in the tuples that [`loans`] makes: `.2`, `.7.0`.
fn path_of_loan(place: usize, count: usize) -> TokenStream {
    let inner = LOANS - 1;
    if count <= LOANS || place < inner {
        let place = Literal::usize_unsuffixed(place);
        return quote!(.#place);
    }
    let rest = path_of_loan(place - inner, count - inner);
    let inner = Literal::usize_unsuffixed(inner);
    quote!(.#inner #rest)
}

fn where_compiled(cfgs: &[Attribute], value: TokenStream) -> TokenStream {
    if cfgs.is_empty() {
        return value;
    }
    let conditions: Vec<TokenStream> = cfgs.iter().map(list_tokens).collect();
    quote! {{
        #[cfg(all(#(#conditions),*))]
        { #value }
        #[cfg(not(all(#(#conditions),*)))]
        { }
    }}
}

/// The closure that calls the function as written.
fn call(task: &Task, names: &Internal) -> TokenStream {
    let ty = task.type_name();
    let span = task.name().span().resolved_at(Span::mixed_site());
    let (mut lent, mut state) = (0, 0);
    let loans =
        task.parameters.iter().filter(|parameter| matches!(parameter.kind, ParameterKind::Lent(_))).count();
    let arguments: Vec<_> = task
        .parameters
        .iter()
        .map(|parameter| {
            let place = match &parameter.kind {
                ParameterKind::Lent(_) => path_of_loan(next(&mut lent), loans),
                ParameterKind::State(_) => {
                    let place = Literal::usize_unsuffixed(next(&mut state));
                    quote!(.#place)
                }
                ParameterKind::Shutdown | ParameterKind::Plain => TokenStream::new(),
            };
            let (cfgs, value) = (&parameter.cfgs, argument(parameter, &place, task, names));
            quote!(#(#cfgs)* #value)
        })
        .collect();
    let type_arguments = &task.generics.arguments;
    let future = quote_spanned!(span=> <#ty #type_arguments>::body(#(#arguments),*));
    let boxed = boxed(task, span, &future);
    let used = |count: usize, name: &Ident| if count == 0 { quote!(_) } else { quote!(#name) };
    let lent = used(lent, &names.lent);
    let sees_stop = usize::from(task.shutdown().is_some());
    let shutdown = used(sees_stop, &names.shutdown);
    let state = task.every.is_some().then(|| used(state, &names.state)).map(|state| quote!(#state,));
    quote!(move |#lent, #state #shutdown| #boxed)
}

/// The future of one call, and how its output becomes the common form: that underlines the type which cannot.
fn boxed(task: &Task, span: Span, future: &TokenStream) -> TokenStream {
    let (runtime, hidden) = (&task.runtime, task.runtime.at(span));
    if task.never_returns() {
        // `!` has no name to convert from, and becomes anything. The call stands outside, where it may clone arguments.
        let [never, result] = ["__never", "__result"].map(|name| Ident::new(name, Span::mixed_site()));
        return quote_spanned! {span=> {
            let #never = #future;
            #hidden::boxed(
                async move {
                    #[allow(unreachable_code, clippy::diverging_sub_expression)]
                    let #result: #runtime::TaskResult = #never.await;
                    #[allow(unreachable_code)]
                    #result
                },
                #hidden::into_result,
            )
        }};
    }
    let (first, last) = match &task.item.signature.output {
        ReturnType::Type(_, ty) => (super::first_span(ty), super::last_span(ty)),
        ReturnType::Default => (span, span),
    };
    let (at_output, method) = (runtime.at(first), Ident::new("into_result", last));
    let convert = quote_spanned!(first=> #at_output::#method);
    quote_spanned!(span=> #hidden::boxed(#future, #convert))
}

fn next(count: &mut usize) -> usize {
    *count += 1;
    *count - 1
}

fn argument(parameter: &Parameter, place: &TokenStream, task: &Task, names: &Internal) -> TokenStream {
    let name = &parameter.name;
    let Internal { lent, state, shutdown, .. } = names;
    let several =
        task.parameters.iter().filter(|other| matches!(other.kind, ParameterKind::Shutdown)).count() > 1;
    match &parameter.kind {
        ParameterKind::Lent(_) => quote!(&*#lent #place),
        ParameterKind::State(_) => quote!(&mut #state #place),
        ParameterKind::Shutdown if several => quote!(::core::clone::Clone::clone(&#shutdown)),
        ParameterKind::Shutdown => quote!(#shutdown),
        ParameterKind::Plain if task.every.is_some() => {
            let span = super::first_span(&parameter.ty);
            let runtime = task.runtime.at(span);
            let method = Ident::new("for_iteration", super::last_span(&parameter.ty));
            quote_spanned!(span=> #runtime::EachIteration::#method(&#name))
        }
        ParameterKind::Plain => quote!(#name),
    }
}
