//! A whole number in an attribute: a literal, with or without a suffix.

use syn::{Expr, Lit};

use crate::diag::text::text;
use crate::diag::{Problem, Problems};
use crate::parse::unwrap_group;

/// Reads what `key` was given, at least 1; `help` says what it means.
pub(crate) fn whole_number(key: &str, written: &Expr, help: &str, problems: &mut Problems) -> Option<u32> {
    let number = match unwrap_group(written) {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Int(number) => number.base10_parse().ok().filter(|number| *number > 0),
            _ => None,
        },
        _ => None,
    };
    if number.is_none() {
        let what = format!("`{key}` takes a whole number from 1 to {}, not `{}`", u32::MAX, text(written));
        problems.push(Problem::at(written, "bad-value", what).help(help));
    }
    number
}
