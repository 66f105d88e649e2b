//! Rules about structs that hold leases.

use syn::Ident;
use syn::visit::{self, Visit};

use crate::diag::{Problem, Problems};
use crate::model::resource::{Field, Holder};
use crate::parse::plain;

/// Runs them all.
pub(crate) fn holder(holder: &Holder, problems: &mut Problems) {
    let help = "keep the leases in a struct of their own beside the recursive one, and derive `Uses` there";
    recursive_uses(&holder.item.ident, &holder.fields, help, problems);
}

/// What a type holds would be defined by what it holds: rustc would speak of a cycle in its own innards.
pub(crate) fn recursive_uses(name: &Ident, fields: &[Field], help: &str, problems: &mut Problems) {
    for field in fields {
        let mut search = Itself { name, found: None };
        search.visit_type(&field.ty);
        if let Some(found) = search.found {
            let what = format!("`{}` contains itself, so what it holds cannot be worked out", plain(name));
            problems.push(Problem::at(&found, "recursive-uses", what).help(help));
        }
    }
}

struct Itself<'a> {
    name: &'a Ident,
    found: Option<Ident>,
}

impl<'ast> Visit<'ast> for Itself<'_> {
    fn visit_path(&mut self, path: &'ast syn::Path) {
        if let Some(ident) = path.segments.first().map(|segment| &segment.ident) {
            if path.segments.len() == 1 && (ident == "Self" || ident == self.name) {
                self.found.get_or_insert_with(|| ident.clone());
            }
        }
        visit::visit_path(self, path);
    }
}
