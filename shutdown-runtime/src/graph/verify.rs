//! Where the verdict of [`solve`](super::solve()) becomes an error of the compiler, at the field to change.

use super::describe;
use super::rules::Findings;
use super::solve::{Layout, Solved};
use super::spec::PlanSpec;
use super::text::Text;
use super::time;

/// Room for the text of one field's failures while a plan is compiled.
const TEXT: usize = 6 * 1024;
/// Room for it at run time.
const LONG_TEXT: usize = 64 * 1024;

/// Refuses a field that broke a rule of the graph.
///
/// # Panics
///
/// With the rule's id and text; at compile time that is the error.
#[track_caller]
pub const fn verify_field<const MEMBERS: usize, const SLOTS: usize, const FIELDS: usize>(
    solved: &Solved<MEMBERS, SLOTS, FIELDS>,
    field: usize,
) {
    if solved.failed[field] {
        refuse(solved.field_text::<TEXT>(field).as_str());
    }
}

/// Refuses a root plan whose longest path does not fit the time that the platform grants.
///
/// # Panics
///
/// With the rule's id and text; at compile time that is the error.
#[track_caller]
pub const fn verify_budget(plan: &PlanSpec) {
    if let Some(total) = over_budget(plan) {
        let mut text = Text::<TEXT>::new();
        describe::over_budget(&mut text, plan, total);
        refuse(text.as_str());
    }
}

const fn over_budget(plan: &PlanSpec) -> Option<u64> {
    let total = time::total(plan);
    // A cycle leaves the path unknown, and is refused as such.
    if plan.cycle.is_empty() && !plan.part && total > plan.budget { Some(total) } else { None }
}

#[track_caller]
const fn refuse(text: &str) {
    panic!("{}", text);
}

impl<const MEMBERS: usize, const SLOTS: usize, const FIELDS: usize> Solved<MEMBERS, SLOTS, FIELDS> {
    const fn field_text<const ROOM: usize>(&self, field: usize) -> Text<ROOM> {
        let mut findings = Findings::<FIELDS, ROOM>::new(field);
        Layout::<MEMBERS, SLOTS, FIELDS>::of(self.plan).judge(&mut findings);
        findings.text
    }
}

/// What is wrong in one place of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The number of the field that the compiler would underline; `None` for the plan's `budget`.
    pub field: Option<usize>,
    /// The rules that are broken there, each beginning with its id on a line of its own.
    pub text: String,
}

/// Every failure of a plan, in the order of its fields; empty for a sound plan.
///
/// What the compiler checks through the macros, for plans that were built by hand, and for tests of the rules.
pub fn failures<const MEMBERS: usize, const SLOTS: usize, const FIELDS: usize>(
    solved: &Solved<MEMBERS, SLOTS, FIELDS>,
) -> Vec<Failure> {
    let fields = 0..solved.plan.fields.len().min(FIELDS);
    let mut failures: Vec<Failure> = fields
        .filter(|field| solved.failed[*field])
        .map(|field| Failure {
            field: Some(field),
            text: solved.field_text::<LONG_TEXT>(field).as_str().to_owned(),
        })
        .collect();
    if let Some(total) = over_budget(solved.plan) {
        let mut text = Text::<TEXT>::new();
        describe::over_budget(&mut text, solved.plan, total);
        failures.push(Failure { field: None, text: text.as_str().to_owned() });
    }
    failures
}

/// The texts of a plan's [`failures`].
pub fn check<const MEMBERS: usize, const SLOTS: usize, const FIELDS: usize>(
    solved: &Solved<MEMBERS, SLOTS, FIELDS>,
) -> Vec<String> {
    failures(solved).into_iter().map(|failure| failure.text).collect()
}
