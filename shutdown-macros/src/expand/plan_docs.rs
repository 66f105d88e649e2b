//! What rustdoc shows of a plan: as much as the macro itself can see.

use proc_macro2::TokenStream;
use quote::quote;

use crate::diag::text::text;
use crate::model::plan::Plan;
use crate::model::worlds::World;
use crate::parse::plain;

/// `#[doc]` attributes with a table of the phases in the order of their stop.
pub(super) fn docs(plan: &Plan) -> TokenStream {
    let [world] = plan.worlds.as_slice() else { return TokenStream::new() };
    let mut lines = vec![String::new(), heading(plan), String::new()];
    lines.push("| # | phase | holds | follows | budget |".to_owned());
    lines.push("|---|---|---|---|---|".to_owned());
    for (place, number) in world.graph.order.iter().enumerate() {
        lines.extend(row(plan, world, place, *number));
    }
    if world.graph.cycle.is_empty() { quote!(#(#[doc = #lines])*) } else { TokenStream::new() }
}

fn heading(plan: &Plan) -> String {
    if plan.part {
        return "# Shutdown order of this part".to_owned();
    }
    let budgets = &plan.budgets;
    let total = budgets.budget.as_ref().map_or(0, |budget| budget.value);
    format!(
        "# Shutdown order\n\n{} in all: {} before the signal (`preStop`), {} window, {} margin.",
        shown(total),
        shown(budgets.pre_stop),
        shown(budgets.lame_duck),
        shown(budgets.margin)
    )
}

fn row(plan: &Plan, world: &World, place: usize, number: usize) -> Option<String> {
    let field = plan.fields.get(number)?;
    let name_of = |number: &usize| plan.fields.get(*number).map(|field| format!("`{}`", plain(&field.name)));
    let after: Vec<String> = world.graph.after.get(number)?.iter().filter_map(name_of).collect();
    let budget = world.fields.get(number).and_then(|words| words.budget).map(shown).unwrap_or_default();
    // A bar would end the table's cell.
    let holds = text(&field.ty).replace('|', "\\|");
    Some(format!(
        "| {} | `{}` | `{holds}` | {} | {budget} |",
        place + 1,
        plain(&field.name),
        after.join(", ")
    ))
}

fn shown(millis: u64) -> String {
    if millis % 1_000 == 0 { format!("{} s", millis / 1_000) } else { format!("{millis} ms") }
}
