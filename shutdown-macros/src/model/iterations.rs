//! What only a periodic task can say of its iterations: `fail_after = 10`, `last = true`.

use syn::{Expr, Ident, Lit};

use crate::diag::text::text;
use crate::diag::{Problem, Problems};
use crate::model::number::whole_number;
use crate::parse::arguments::Arguments;
use crate::parse::unwrap_group;

/// What was written of a periodic task's iterations.
#[derive(Clone, Debug, Default)]
pub(crate) struct Iterations {
    /// `fail_after`: so many errors in a row start the shutdown.
    pub(crate) fail_after: Option<(Ident, u32)>,
    /// `last = true`: one final iteration when told to stop.
    pub(crate) last: Option<Ident>,
}

impl Iterations {
    /// Takes the keys out of the arguments of a task; those of a hook have none.
    pub(crate) fn take(arguments: &mut Arguments, problems: &mut Problems) -> Self {
        let fail_after = arguments.take_expr("fail_after", problems).map(|(key, written)| {
            let help = "write how many errors in a row are too many, such as `fail_after = 10`";
            // One that is malformed is refused, and still there for the rules about keys that exclude each other.
            (key, whole_number("fail_after", &written, help, problems).unwrap_or(1))
        });
        let last = arguments.take_expr("last", problems);
        let last = last.and_then(|(key, written)| yes("last", &written, problems).then_some(key));
        Self { fail_after, last }
    }
}

/// Reads `true` or `false`; anything else is refused and taken for `true`.
fn yes(key: &str, written: &Expr, problems: &mut Problems) -> bool {
    if let Expr::Lit(literal) = unwrap_group(written)
        && let Lit::Bool(value) = &literal.lit
    {
        return value.value;
    }
    let what = format!("`{key}` takes `true` or `false`, not `{}`", text(written));
    problems
        .push(Problem::at(written, "bad-value", what).help(format!("write `{key} = true`, or leave it out")));
    true
}
