//! Problems are collected, all of an item's, and reported together.

mod problem;
mod suggest;
pub(crate) mod text;

use proc_macro2::TokenStream;

pub(crate) use problem::Problem;
pub(crate) use suggest::{list, nearest};

/// Where the stages put what they find. Nothing stops at the first problem.
#[derive(Debug, Default)]
pub(crate) struct Problems {
    found: Vec<Problem>,
}

impl Problems {
    /// Notes a problem.
    pub(crate) fn push(&mut self, problem: Problem) {
        self.found.push(problem);
    }

    /// Notes that the user's tokens are not of the expected form, with syn's own words.
    pub(crate) fn push_syntax(&mut self, error: &syn::Error, help: &str) {
        self.found.push(Problem::spanned(error.span(), "bad-syntax", error.to_string()).help(help));
    }

    /// Whether nothing was found so far that refuses the item under every condition.
    pub(crate) fn is_empty(&self) -> bool {
        !self.found.iter().any(Problem::is_certain)
    }

    /// One `compile_error!` for each problem.
    pub(crate) fn to_tokens(&self) -> TokenStream {
        self.found.iter().map(Problem::to_compile_error).collect()
    }

    /// What was found, for the tests.
    #[cfg(test)]
    pub(crate) fn found(&self) -> &[Problem] {
        &self.found
    }
}
