//! The tables of a plan: its fields, their order, and the longest path.

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

use crate::expand::member::optional;
use crate::expand::{first_span, place};
use crate::model::plan::{PhaseField, Plan};
use crate::model::worlds::World;
use crate::parse::plain;

/// The expression of the plan's `&'static PlanSpec`.
pub(super) fn spec(plan: &Plan) -> TokenStream {
    match plan.worlds.as_slice() {
        [] => quote!(::core::unreachable!()),
        [world] => table(plan, world),
        worlds => {
            let tables = worlds.iter().map(|world| {
                let (condition, table) = (&world.condition, table(plan, world));
                quote!(#[cfg(#condition)] { #table })
            });
            quote!({ #(#tables)* })
        }
    }
}

fn table(plan: &Plan, world: &World) -> TokenStream {
    let runtime = &plan.runtime;
    let name = plain(&plan.item.ident);
    let fields = plan.fields.iter().enumerate().map(|(number, field)| field_spec(plan, world, number, field));
    let order = numbers(&world.graph.order);
    let cycle = world.graph.cycle.iter().map(|(field, because)| {
        let (field, because) =
            (Literal::usize_unsuffixed(*field), format_ident!("{}", format!("{because:?}")));
        quote!(#runtime::CycleStep { field: #field, because: #runtime::Because::#because })
    });
    let count = plan.fields.len();
    let part = plan.part;
    let budget = plan.budgets.budget.as_ref().map_or(0, |budget| budget.value);
    let (pre_stop, lame_duck, margin) = (plan.budgets.pre_stop, plan.budgets.lame_duck, plan.budgets.margin);
    let place = place(&plan.item.ident, runtime);
    let conduct = conduct(plan);
    // Statics, since rustc looks through whatever a constant points at, for each constant anew, and stops at statics.
    quote! {{
        static SHUTDOWN_FIELDS: [#runtime::FieldSpec; #count] = [#(#fields),*];
        const SHUTDOWN_ORDER: &[::core::primitive::u16] = &[#order];
        static SHUTDOWN_PATH: [::core::primitive::u64; #count] =
            #runtime::longest_path_from::<#count>(&SHUTDOWN_FIELDS, SHUTDOWN_ORDER);
        static SHUTDOWN_TABLE: #runtime::PlanSpec = #runtime::PlanSpec {
            name: #name,
            part: #part,
            fields: &SHUTDOWN_FIELDS,
            order: SHUTDOWN_ORDER,
            path: &SHUTDOWN_PATH,
            cycle: &[#(#cycle),*],
            budget: #budget,
            pre_stop: #pre_stop,
            lame_duck: #lame_duck,
            margin: #margin,
            conduct: #conduct,
            place: #place,
        };
        &SHUTDOWN_TABLE
    }}
}

/// What the plan says of its stop as a whole.
fn conduct(plan: &Plan) -> TokenStream {
    let runtime = &plan.runtime;
    if !plan.job && !plan.ready_in_window {
        return quote!(#runtime::Conduct::DEFAULT);
    }
    let (job, ready_in_window) = (plan.job, plan.ready_in_window);
    quote!(#runtime::Conduct { job: #job, ready_in_window: #ready_in_window })
}

fn field_spec(plan: &Plan, world: &World, number: usize, field: &PhaseField) -> TokenStream {
    let runtime = &plan.runtime;
    let name = plain(&field.name);
    let graph = &world.graph;
    let empty = Vec::new();
    let after = numbers(graph.after.get(number).unwrap_or(&empty));
    let follows = if graph.follows_above(number) {
        quote!(#runtime::Follows::Above)
    } else {
        let words = graph.follows.get(number).map(|bits| bits.words.clone()).unwrap_or_default();
        quote!(#runtime::Follows::Just(&[#(#words),*]))
    };
    let words = world.fields.get(number);
    let declared = words.is_some_and(|words| words.order.is_declared());
    let budget = optional(words.and_then(|words| words.budget));
    let rank = Literal::usize_unsuffixed(graph.rank.get(number).copied().unwrap_or(number + 1));
    let node = node(plan, field);
    quote! {
        #runtime::FieldSpec {
            name: #name,
            node: #node,
            budget: #budget,
            after: &[#after],
            follows: #follows,
            declared: #declared,
            rank: #rank,
        }
    }
}

/// What stands in the field; nothing where it was compiled out.
fn node(plan: &Plan, field: &PhaseField) -> TokenStream {
    let ty = &field.ty;
    let span = first_span(ty);
    let runtime = plan.runtime.at(span);
    let node = quote::quote_spanned!(span=> <#ty as #runtime::Phase>::NODE);
    if field.cfgs.is_empty() {
        return node;
    }
    let conditions: Vec<TokenStream> = field.cfgs.iter().map(crate::parse::attributes::list_tokens).collect();
    quote! {{
        #[cfg(all(#(#conditions),*))]
        { #node }
        #[cfg(not(all(#(#conditions),*)))]
        { #runtime::Node::Empty }
    }}
}

fn numbers(numbers: &[usize]) -> TokenStream {
    let literals = numbers.iter().map(|number| Literal::usize_unsuffixed(*number));
    quote!(#(#literals),*)
}
