//! The stages of each macro in their order: parse, model, check, expand. The only place that knows the order.

use proc_macro2::{Span, TokenStream};
use quote::quote;

use crate::diag::{Problem, Problems};
use crate::model::entry::Main;
use crate::model::plan::Plan;
use crate::model::resource::{Holder, Resource};
use crate::model::task::{FnKind, Task, not_a_function};
use crate::parse::item_fn::FnItem;
use crate::parse::item_struct::{StructItem, head, struct_item};
use crate::{check, expand};

/// What an attribute came to.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    /// What is wrong.
    pub(crate) problems: Problems,
    /// What stands in the item's place, beside the problems.
    pub(crate) tokens: TokenStream,
}

impl Outcome {
    /// The problems as errors, and the item.
    pub(crate) fn into_tokens(self) -> TokenStream {
        let mut tokens = self.problems.to_tokens();
        tokens.extend(self.tokens);
        tokens
    }
}

/// `#[background_task]` and `#[shutdown_hook]`.
pub(crate) fn task(kind: FnKind, arguments: TokenStream, item: TokenStream) -> Outcome {
    let mut problems = Problems::default();
    let Some(function) = function(kind.attribute(), &item, &mut problems) else {
        return Outcome { problems, tokens: item };
    };
    let model = Task::new(kind, arguments, function, &mut problems);
    check::task(&model, &mut problems);
    let tokens =
        if problems.is_empty() { expand::task::task(&model) } else { expand::fallback::task(&model) };
    Outcome { problems, tokens }
}

/// `#[shutdown_runtime::main]`.
pub(crate) fn entry(arguments: TokenStream, item: TokenStream) -> Outcome {
    let mut problems = Problems::default();
    let Some(function) = function("main", &item, &mut problems) else {
        return Outcome { problems, tokens: item };
    };
    let model = Main::new(arguments, function, &mut problems);
    check::entry(&model, &mut problems);
    let tokens =
        if problems.is_empty() { expand::entry::entry(&model) } else { expand::fallback::entry(&model) };
    Outcome { problems, tokens }
}

/// `#[resource]`.
pub(crate) fn resource(arguments: TokenStream, item: TokenStream) -> Outcome {
    let mut problems = Problems::default();
    let help = "write `#[resource(close = path)] struct Name(..);`; what closes may be any struct";
    let Some(structure) = structure("resource", "not-a-struct", help, &item, &mut problems) else {
        return Outcome { problems, tokens: item };
    };
    let model = Resource::new(arguments, structure, &mut problems);
    check::resource(&model, &mut problems);
    let tokens = if problems.is_empty() {
        expand::resource::resource(&model)
    } else {
        expand::fallback::resource(&model)
    };
    Outcome { problems, tokens }
}

/// `#[shutdown_plan]`.
pub(crate) fn plan(arguments: TokenStream, item: TokenStream) -> Outcome {
    let mut problems = Problems::default();
    let help = "a plan is a struct whose fields are its phases: `struct Plan { workers: relay, storage: Resource<Db> }`";
    let Some(structure) = structure("shutdown_plan", "not-a-plan-struct", help, &item, &mut problems) else {
        return Outcome { problems, tokens: item };
    };
    let model = Plan::new(arguments, structure, &mut problems);
    check::plan(&model, &mut problems);
    let tokens =
        if problems.is_empty() { expand::plan::plan(&model) } else { expand::fallback::plan(&model) };
    Outcome { problems, tokens }
}

/// `#[shutdown_order]` where it is expanded by itself: above the attribute that declares an item, or beside none.
pub(crate) fn order(arguments: &TokenStream, item: TokenStream) -> Outcome {
    let mut problems = Problems::default();
    let tokens = expand::order::moved(arguments, &item).unwrap_or_else(|| {
        let what = "`#[shutdown_order]` stands alone: nothing here is declared to stop";
        let help =
            "put it beside `#[background_task]`, `#[shutdown_hook]` or `#[resource]`, or on a field of a plan";
        problems.push(Problem::spanned(Span::call_site(), "stray-order", what).help(help));
        item
    });
    Outcome { problems, tokens }
}

/// `#[derive(Uses)]`, which adds to the item and does not repeat it.
pub(crate) fn derive_uses(item: &TokenStream) -> Outcome {
    let mut problems = Problems::default();
    let help =
        "derive it on a struct; an enum's leases go into a struct inside it, or behind `Option<Lease<T>>`";
    let Some(structure) = structure("derive(Uses)", "not-a-struct", help, item, &mut problems) else {
        return Outcome { problems, tokens: TokenStream::new() };
    };
    let model = Holder::new(structure, &mut problems);
    check::holder(&model, &mut problems);
    let tokens =
        if problems.is_empty() { expand::hold::holder(&model) } else { expand::fallback::holder(&model) };
    Outcome { problems, tokens }
}

fn function(attribute: &str, item: &TokenStream, problems: &mut Problems) -> Option<FnItem> {
    let error = match syn::parse2::<FnItem>(item.clone()) {
        Ok(function) => return Some(function),
        Err(error) => error,
    };
    let (keyword, head) = head(item).unwrap_or_else(|| (String::new(), quote!(#item)));
    if ["fn", "async", "const", "unsafe", "extern"].contains(&keyword.as_str()) {
        problems.push_syntax(&error, &format!("`#[{attribute}]` goes on a free `async fn` with a body"));
    } else {
        problems.push(not_a_function(attribute, &keyword, &head));
    }
    None
}

fn structure(
    attribute: &str,
    id: &'static str,
    help: &str,
    item: &TokenStream,
    problems: &mut Problems,
) -> Option<syn::ItemStruct> {
    match struct_item(item) {
        StructItem::Struct(structure) => return Some(*structure),
        StructItem::Other(head) => {
            let what =
                format!("`#[{attribute}]` goes on a struct, not on `{}`", crate::diag::text::text(&head));
            problems.push(Problem::at(&head, id, what).help(help));
        }
        StructItem::Malformed(error) => problems.push_syntax(&error, help),
    }
    None
}
