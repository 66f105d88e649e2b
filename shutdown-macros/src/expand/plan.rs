//! A plan: the struct as written, its tables, and the constants that check them.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens as _, quote, quote_spanned};

use crate::expand::plan_docs::docs;
use crate::expand::plan_tables::spec;
use crate::expand::{first_span, last_span, respanned};
use crate::model::plan::{Manifest, PhaseField, Plan};
use crate::parse::attributes::cfgs;

/// Expands a plan without problems.
pub(crate) fn plan(plan: &Plan) -> TokenStream {
    let item = &plan.item;
    let cfgs = cfgs(&item.attrs);
    let spec = spec(plan);
    let implementation = implementation(plan, &spec, &fill(plan));
    let methods = methods(plan);
    let checks = checks(plan);
    let docs = docs(plan);
    let (attributes, rest) = (&item.attrs, bare(plan));
    let must_use = must_use(plan);
    let manifest = plan.manifest.as_ref().and_then(manifest);
    quote! {
        #(#attributes)*
        #docs
        #must_use
        // A phase of many members is no type to factor out.
        #[allow(clippy::type_complexity)]
        #rest
        #(#cfgs)*
        const _: () = {
            #implementation
            #methods
        };
        #(#cfgs)*
        #[allow(dead_code, non_upper_case_globals)]
        const _: () = {
            #checks
            #manifest
        };
    }
}

/// Has cargo build the crate anew where the manifest has changed, which it knows of files that are included.
fn manifest(manifest: &Manifest) -> Option<TokenStream> {
    let file = manifest.file.to_str()?;
    Some(quote!(
        const _: &[u8] = ::core::include_bytes!(#file);
    ))
}

/// Unless the user wrote one.
fn must_use(plan: &Plan) -> Option<TokenStream> {
    let text = if plan.part {
        "a part stops only in the plan in which it stands"
    } else {
        "a plan does nothing until it runs: return it from `main`, or call `.run().await`"
    };
    let written = plan.item.attrs.iter().any(|attribute| attribute.path().is_ident("must_use"));
    (!written).then(|| quote!(#[must_use = #text]))
}

/// What a refused plan still is: enough for the code that uses it.
pub(crate) fn stub(plan: &Plan) -> TokenStream {
    let (item, runtime, name) = (&plan.item, &plan.runtime, &plan.item.ident);
    if plan.worlds.is_empty() {
        return quote!(#item);
    }
    let shown = crate::parse::plain(name);
    let place = crate::expand::place(name, runtime);
    let part = plan.part;
    let spec = quote! {
        &#runtime::PlanSpec {
            name: #shown, part: #part, fields: &[], order: &[], path: &[], cycle: &[],
            budget: 0, pre_stop: 0, lame_duck: 0, margin: 0, conduct: #runtime::Conduct::DEFAULT, place: #place,
        }
    };
    let implementation = implementation(plan, &spec, &TokenStream::new());
    let methods = methods(plan);
    quote! {
        #item
        #[allow(unused_variables)]
        const _: () = { #implementation #methods };
    }
}

/// The struct without its attributes.
fn bare(plan: &Plan) -> TokenStream {
    let mut item = plan.item.clone();
    item.attrs.clear();
    item.to_token_stream()
}

/// How an `impl` of a plan begins. Only a refused one is generic: it stays a plan, so that its users need no second error.
struct Head {
    generics: TokenStream,
    ty: TokenStream,
    bounds: TokenStream,
}

fn head(plan: &Plan) -> Head {
    let name = &plan.item.ident;
    let (generics, arguments, where_clause) = plan.item.generics.split_for_impl();
    let bounds = if plan.item.generics.params.is_empty() {
        where_clause.to_token_stream()
    } else {
        let predicates = where_clause.iter().flat_map(|clause| &clause.predicates);
        quote!(where #(#predicates,)* Self: ::core::marker::Send + 'static)
    };
    Head { generics: generics.to_token_stream(), ty: quote!(#name #arguments), bounds }
}

fn implementation(plan: &Plan, spec: &TokenStream, fill: &TokenStream) -> TokenStream {
    let runtime = &plan.runtime;
    let Head { generics, ty, bounds } = head(plan);
    let phases = Ident::new("__phases", Span::mixed_site());
    if plan.part {
        let phase = Ident::new("__phase", Span::mixed_site());
        return quote! {
            #[automatically_derived]
            impl #generics #runtime::Part for #ty #bounds {
                const SPEC: &'static #runtime::PlanSpec = #spec;
            }

            #[automatically_derived]
            impl #generics #runtime::Phase for #ty #bounds {
                const NODE: #runtime::Node = #runtime::Node::Part(<Self as #runtime::Part>::SPEC);

                fn enlist(self, #phase: &mut #runtime::PhaseBuilder) {
                    #phase.part(<Self as #runtime::Part>::SPEC, |#phases| { #fill });
                }
            }
        };
    }
    quote! {
        #[automatically_derived]
        impl #generics #runtime::Plan for #ty #bounds {
            const SPEC: &'static #runtime::PlanSpec = #spec;

            fn phases(self, #phases: &mut #runtime::Phases) {
                #fill
            }
        }
    }
}

fn fill(plan: &Plan) -> TokenStream {
    let phases = Ident::new("__phases", Span::mixed_site());
    let fill = plan.fields.iter().enumerate().map(|(number, field)| {
        let PhaseField { name, cfgs, ty } = field;
        let (span, number) = (first_span(ty), Literal::usize_unsuffixed(number));
        let (runtime, hidden) = (&plan.runtime, plan.runtime.at(span));
        let enlist = quote_spanned!(span=> <#ty as #hidden::Phase>::enlist);
        quote!(#(#cfgs)* #enlist(self.#name, #runtime::field(#phases, #number));)
    });
    quote!(#(#fill)*)
}

/// The methods of the trait as inherent ones, so that no import is needed.
fn methods(plan: &Plan) -> TokenStream {
    let runtime = &plan.runtime;
    let Head { generics, ty, bounds } = head(plan);
    if plan.part {
        return quote! {
            impl #generics #ty #bounds {
                /// The graph of this part, for printing.
                #[must_use]
                #[allow(dead_code, unreachable_pub)]
                pub fn graph() -> #runtime::Graph {
                    #runtime::Graph::new(<Self as #runtime::Part>::SPEC)
                }
            }
        };
    }
    let total = Ident::new("__total", Span::mixed_site());
    quote! {
        #[allow(dead_code, unreachable_pub, clippy::same_name_method)]
        impl #generics #ty #bounds {
            /// The plan's graph, for printing.
            #[must_use]
            pub fn graph() -> #runtime::Graph {
                <Self as #runtime::Plan>::graph()
            }

            /// Runs the service until it has stopped.
            ///
            /// # Errors
            ///
            /// If it does not start; what had started has then been stopped.
            pub async fn run(self) -> ::core::result::Result<#runtime::Report, #runtime::StartError> {
                #runtime::Plan::run(self).await
            }

            /// Runs the service where the platform grants less than the plan's budget.
            ///
            /// # Errors
            ///
            /// If it does not start; what had started has then been stopped.
            pub async fn run_within(
                self,
                #total: ::core::time::Duration,
            ) -> ::core::result::Result<#runtime::Report, #runtime::StartError> {
                #runtime::Plan::run_within(self, #total).await
            }

            /// Starts every task and returns, for tests and embedding.
            ///
            /// # Errors
            ///
            /// If a lease is not accounted for, or there is no tokio runtime here.
            pub fn start(self) -> ::core::result::Result<#runtime::Running, #runtime::StartError> {
                #runtime::Plan::start(self)
            }
        }
    }
}

/// The constants in which the compiler checks the graph: one for each field, so that each failure underlines its own.
fn checks(plan: &Plan) -> TokenStream {
    let (name, runtime) = (&plan.item.ident, &plan.runtime);
    let fields = plan.fields.len();
    let of = if plan.part { quote!(Part) } else { quote!(Plan) };
    let verify = plan.fields.iter().enumerate().map(|(number, field)| verify_field(plan, number, field));
    let budget = plan.budgets.budget.as_ref().map(|budget| {
        let (first, last) = (first_span(&budget.written), last_span(&budget.written));
        let hidden = runtime.at(first);
        let callee = quote_spanned!(first=> #hidden::verify_budget);
        let argument = respanned(quote!((SHUTDOWN_TABLES)), last);
        quote!(const SHUTDOWN_BUDGET: () = #callee #argument;)
    });
    quote! {
        const SHUTDOWN_TABLES: &#runtime::PlanSpec = <#name as #runtime::#of>::SPEC;
        static SHUTDOWN_PLAN: #runtime::Solved<
            { #runtime::members(SHUTDOWN_TABLES) },
            { #runtime::capacity(SHUTDOWN_TABLES) },
            #fields,
        > = #runtime::solve(SHUTDOWN_TABLES);
        #(#verify)*
        #budget
    }
}

fn verify_field(plan: &Plan, number: usize, field: &PhaseField) -> TokenStream {
    let (first, last) = (first_span(&field.name), last_span(&field.ty));
    let hidden = plan.runtime.at(first);
    let callee = quote_spanned!(first=> #hidden::verify_field);
    let number = Literal::usize_unsuffixed(number);
    // rustc underlines from the callee to the argument group.
    let arguments = respanned(quote!((&SHUTDOWN_PLAN, #number)), last);
    // Named after the field, since rustc says that its evaluation failed.
    let name = &field.name;
    quote!(const #name: () = #callee #arguments;)
}
