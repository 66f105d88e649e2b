//! Rules about the annotated `main`.

use syn::{FnArg, ReturnType, Type};

use crate::diag::{Problem, Problems};
use crate::model::entry::Main;
use crate::parse::unwrap_type;

const FORM: &str = "write `async fn main() -> anyhow::Result<Plan>`, or take `startup: Startup`";

/// `bad-main`: one rule for all that `main` must be.
pub(crate) fn entry(main: &Main, problems: &mut Problems) {
    let signature = &main.item.signature;
    if signature.asyncness.is_none() {
        let problem = Problem::at(&signature.fn_token, "bad-main", "`main` is not `async`");
        problems.push(problem.help(format!("write `async fn {}`", signature.ident)));
    }
    if !signature.generics.params.is_empty() {
        let problem = Problem::at(&signature.generics, "bad-main", "`main` cannot be generic");
        problems.push(problem.help(FORM));
    }
    if let Some(second) = signature.inputs.iter().nth(1) {
        let problem = Problem::at(second, "bad-main", "`main` takes at most one argument, a `Startup`");
        problems.push(problem.help(FORM));
    }
    if let Some(FnArg::Receiver(receiver)) = signature.inputs.first() {
        problems.push(Problem::at(receiver, "bad-main", "`main` is a free function").help(FORM));
    }
    if let Some(FnArg::Typed(argument)) = signature.inputs.first()
        && !may_be_startup(&argument.ty)
    {
        let problem = Problem::at(&argument.ty, "bad-main", "`main` takes nothing but a `Startup`");
        problems.push(problem.help(FORM));
    }
    if let ReturnType::Default = signature.output {
        let problem =
            Problem::at(&signature.ident, "bad-main", "`main` returns no plan, so nothing would run");
        problems.push(problem.help(
            "return the plan: `async fn main() -> Plan`, or `Result<Plan, E>`, or `Result<Option<Plan>, E>`",
        ));
    }
}

/// What people take from the command line, and is surely no `Startup`.
const OTHERS: &[&str] = &[
    "bool", "char", "f32", "f64", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64",
    "u128", "usize", "str", "String", "Vec", "Option", "Args",
];

/// An alias may stand for it, so only what is surely something else is refused here; rustc compares the rest.
fn may_be_startup(ty: &Type) -> bool {
    match unwrap_type(ty) {
        Type::Path(path) => {
            let last = path.path.segments.last();
            last.is_none_or(|last| !OTHERS.iter().any(|other| last.ident == other))
        }
        other => matches!(other, Type::Macro(_)),
    }
}
