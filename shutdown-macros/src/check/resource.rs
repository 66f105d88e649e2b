//! Rules about a resource's struct.

use syn::{Expr, GenericParam, Generics, Ident, Member};

use crate::check::holder::recursive_uses;
use crate::diag::{Problem, Problems};
use crate::model::resource::{Field, Resource};
use crate::model::worlds::MOST_CONDITIONS;
use crate::parse::{plain, unwrap_group};

/// Runs them all.
pub(crate) fn resource(resource: &Resource, problems: &mut Problems) {
    generic_resource(&resource.item.ident, &resource.item.generics, problems);
    let name = plain(&resource.item.ident);
    let help =
        format!("put the recursive part into a plain struct of its own, and let `{name}` hold that one");
    recursive_uses(&resource.item.ident, &resource.fields, &help, problems);
    close_form(resource, problems);
    too_many_conditions(&resource.fields, problems);
}

/// Each doubles the places at which the fields after it may stand.
fn too_many_conditions(fields: &[Field], problems: &mut Problems) {
    let mut conditional = fields
        .iter()
        .filter(|field| matches!(field.member, Member::Unnamed(_)))
        .filter_map(|field| field.cfgs.first());
    if let Some(cfg) = conditional.nth(MOST_CONDITIONS) {
        let what = format!("more than {MOST_CONDITIONS} fields of a tuple struct have conditions");
        let problem = Problem::at(cfg, "too-many-conditions", what);
        problems.push(problem.help("give the fields names: `struct Name { field: Type }`"));
    }
}

/// All instances of a generic resource would be one resource to the graph.
fn generic_resource(name: &Ident, generics: &Generics, problems: &mut Problems) {
    if generics.params.is_empty() {
        return;
    }
    let name = plain(name);
    let only_lifetimes =
        generics.params.iter().all(|parameter| matches!(parameter, GenericParam::Lifetime(_)));
    let (what, help) = if only_lifetimes {
        let what = format!("the resource `{name}` borrows, and would not outlive what it borrows from");
        (what, "let it own what it holds: a `String`, an `Arc`, or `&'static`".to_owned())
    } else {
        let what = format!("the resource `{name}` is generic: the plan could not tell its instances apart");
        let instance = format!("#[resource(close = ..)] struct Orders{name}({name}<Orders>);");
        (what, format!("leave `{name}` a plain struct, and declare one for each instance: `{instance}`"))
    };
    problems.push(Problem::at(generics, "generic-resource", what).help(help));
}

/// Anything but a path or a closure is not called but evaluated.
fn close_form(resource: &Resource, problems: &mut Problems) {
    let Some(close) = &resource.close else { return };
    let name = plain(&resource.item.ident);
    let good = match unwrap_group(close) {
        Expr::Path(_) => true,
        Expr::Closure(closure) => matches!(closure.inputs.len(), 1 | 2),
        _ => false,
    };
    if !good {
        let what = format!(
            "`close` takes the path of an async function, or an async closure, not `{}`",
            crate::diag::text::text(close)
        );
        let help = format!(
            "write `close = close_it` with `async fn close_it(it: &{name})`, or `close = async |it: &{name}| {{ .. }}`"
        );
        problems.push(Problem::at(close, "bad-value", what).help(help));
    }
}
