//! Rules about a plan that need nothing but its struct.

use syn::Fields;

use crate::diag::{Problem, Problems};
use crate::model::plan::Plan;
use crate::parse::plain;

/// Runs them all.
pub(crate) fn plan(plan: &Plan, problems: &mut Problems) {
    generic_plan(plan, problems);
    not_named_fields(plan, problems);
    empty_plan(plan, problems);
    #[cfg(feature = "kubernetes")]
    super::manifest::check(plan, problems);
}

/// The graph of a generic plan would be checked only where it is used, by `cargo build`, in the wrong place.
fn generic_plan(plan: &Plan, problems: &mut Problems) {
    let generics = &plan.item.generics;
    if !generics.params.is_empty() {
        let what =
            format!("the plan `{}` is generic: its graph could not be checked here", plain(&plan.item.ident));
        let help = "name the types in the fields; a `type` alias shortens a long one";
        problems.push(Problem::at(generics, "generic-plan", what).help(help));
    }
}

/// A phase without a name cannot be named in a message, nor in an order.
fn not_named_fields(plan: &Plan, problems: &mut Problems) {
    if let Fields::Unnamed(fields) = &plan.item.fields {
        let what = format!("the phases of `{}` have no names", plain(&plan.item.ident));
        let help = "give each field a name: `struct Plan { ingress: http_api, storage: Resource<Db> }`";
        problems.push(Problem::at(fields, "not-a-plan-struct", what).help(help));
    }
}

/// A plan without phases stops nothing.
fn empty_plan(plan: &Plan, problems: &mut Problems) {
    if plan.item.fields.is_empty() && !matches!(plan.item.fields, Fields::Unnamed(_)) {
        let name = plain(&plan.item.ident);
        let problem = Problem::at(&plan.item.ident, "empty-plan", format!("the plan `{name}` has no phases"));
        problems.push(problem.help("add a field for each phase: a task, a hook, a `Resource<T>`, or a part"));
    }
}
