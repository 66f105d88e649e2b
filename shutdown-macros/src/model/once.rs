//! An item is declared once: what stops has one kind, and one table.

use syn::{Attribute, Ident};

use crate::diag::{Problem, Problems};
use crate::names::DECLARING;
use crate::parse::plain;

/// Takes further declaring attributes off the item called `name`, which `attribute` declares already.
pub(crate) fn declared_once(
    attribute: &str,
    name: &Ident,
    attributes: &mut Vec<Attribute>,
    problems: &mut Problems,
) {
    attributes.retain(|other| {
        let Some(kind) = other.path().get_ident().map(ToString::to_string) else { return true };
        if !DECLARING.contains(&kind.as_str()) {
            return true;
        }
        let name = plain(name);
        let (id, what) = if kind == attribute {
            ("duplicate-key", format!("`{name}` is declared twice by `#[{attribute}]`"))
        } else {
            ("conflicting-keys", format!("`{name}` is declared by `#[{attribute}]` and by `#[{kind}]`"))
        };
        problems.push(Problem::at(other, id, what).help("keep one of the two"));
        false
    });
}
