//! Rules about the signature of a task or a hook.

use syn::visit::{self, Visit};
use syn::{FnArg, Ident, Signature};

use crate::diag::{Problem, Problems};
use crate::model::task::Task;
use crate::parse::plain;

/// Runs them all.
pub(crate) fn check(task: &Task, problems: &mut Problems) {
    on_a_method(task, problems);
    not_async(task, problems);
}

/// A task outlives whatever its method could borrow, and no struct can be generated inside an `impl`.
fn on_a_method(task: &Task, problems: &mut Problems) {
    let signature = &task.item.signature;
    let attribute = task.kind.attribute();
    if let Some(FnArg::Receiver(receiver)) = signature.inputs.first() {
        let what = format!("`#[{attribute}]` on a method: `{}` takes `self`", plain(&signature.ident));
        let help = "write a free `async fn` beside the `impl`, and take the struct as a parameter";
        problems.push(Problem::at(receiver, "on-a-method", what).help(help));
    } else if let Some(token) = self_type(signature) {
        let what = format!("`#[{attribute}]` inside an `impl`: `{}` names `Self`", plain(&signature.ident));
        let help = "write a free `async fn` beside the `impl`, and name the struct's type";
        problems.push(Problem::at(&token, "on-a-method", what).help(help));
    }
}

/// Whether the function can only stand in an `impl` or a `trait`.
pub(crate) fn is_method(signature: &Signature) -> bool {
    signature.receiver().is_some() || self_type(signature).is_some()
}

fn self_type(signature: &Signature) -> Option<Ident> {
    struct Search(Option<Ident>);
    impl<'ast> Visit<'ast> for Search {
        fn visit_path(&mut self, path: &'ast syn::Path) {
            if let Some(first) = path.segments.first().filter(|first| first.ident == "Self") {
                self.0.get_or_insert_with(|| first.ident.clone());
            }
            visit::visit_path(self, path);
        }
    }
    let mut search = Search(None);
    search.visit_signature(signature);
    search.0
}

/// A body that cannot wait cannot be stopped either.
fn not_async(task: &Task, problems: &mut Problems) {
    let signature = &task.item.signature;
    if signature.asyncness.is_none() {
        let name = plain(&signature.ident);
        let what = format!("the {} `{name}` is not `async`", task.kind.noun());
        let problem =
            Problem::at(&signature.fn_token, "not-async", what).help(format!("write `async fn {name}`"));
        problems.push(
            problem.note("blocking work belongs in `tokio::task::spawn_blocking` inside the async function"),
        );
    }
}
