//! Rules about the body. They judge only one that parses: a half-typed one is the editor's business.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::visit::{self, Visit};
use syn::{Block, ExprAsync, ExprClosure, ExprLoop, ExprWhile, Ident, Label, Pat};

use crate::check::closes;
use crate::diag::{Problem, Problems};
use crate::model::generics::flatten;
use crate::model::task::{Stop, Task};
use crate::parse::plain;

/// Runs them all.
pub(crate) fn check(task: &Task, problems: &mut Problems) {
    let Ok(block) = syn::parse2::<Block>(task.item.body.to_token_stream()) else { return };
    if !matches!(task.stop, Some((_, Stop::Drop))) {
        let mut search = BlindLoops { task, problems };
        search.visit_block(&block);
    }
    closes::check(task, &block, problems);
}

/// Finds endless loops that nothing can leave: they run into the budget and are aborted in the middle of an iteration.
struct BlindLoops<'a> {
    task: &'a Task,
    problems: &'a mut Problems,
}

impl BlindLoops<'_> {
    fn judge(&mut self, keyword: &impl quote::ToTokens, body: &Block) {
        let tokens = flatten(body.to_token_stream());
        let shutdown = self.task.shutdown();
        let mentions = |name: &Ident| {
            tokens.iter().any(|token| matches!(token, TokenTree::Ident(ident) if ident == name))
        };
        if self.task.shutdowns().any(|parameter| mentions(&parameter.name)) || has_exit(body) {
            return;
        }
        let name = self.task.shown();
        let problem = Problem::at(
            keyword,
            "blind-loop",
            format!("this loop of `{name}` never looks at the stop and never ends"),
        );
        let problem = match shutdown {
            Some(parameter) if !parameter.is_named => problem.help(
                "name the parameter, `shutdown: Shutdown`, and leave the loop once `shutdown.is_requested()`",
            ),
            Some(parameter) => {
                let shutdown = plain(&parameter.name);
                problem.help(format!(
                    "leave it at the stop: `while !{shutdown}.is_requested() {{ .. }}`, or take each step as `{shutdown}.run_until_requested(step).await`, which gives `None` then"
                ))
            }
            None if self.task.every.is_some() => {
                problem.help("the body is one iteration of the loop that `every` makes: remove this one")
            }
            None if self.task.stop.is_some() => {
                problem.help("end it with the input: `while let Some(item) = input.recv().await { .. }`")
            }
            None => {
                problem.help("take `shutdown: Shutdown` and leave the loop once `shutdown.is_requested()`")
            }
        };
        self.problems.push(problem);
    }
}

impl<'ast> Visit<'ast> for BlindLoops<'_> {
    fn visit_expr_loop(&mut self, endless: &'ast ExprLoop) {
        self.judge(&endless.loop_token, &endless.body);
        visit::visit_expr_loop(self, endless);
    }

    fn visit_expr_while(&mut self, conditional: &'ast ExprWhile) {
        let condition = &*conditional.cond;
        let always = matches!(condition, syn::Expr::Lit(literal) if matches!(&literal.lit, syn::Lit::Bool(truth) if truth.value));
        if always {
            self.judge(&conditional.while_token, &conditional.body);
        }
        visit::visit_expr_while(self, conditional);
    }

    // Their loops run elsewhere, or as long as whoever polls them wishes.
    fn visit_expr_async(&mut self, _: &'ast ExprAsync) {}
    fn visit_expr_closure(&mut self, _: &'ast ExprClosure) {}
    fn visit_item(&mut self, _: &'ast syn::Item) {}
}

/// Whether anything in the loop's body may leave it.
fn has_exit(body: &Block) -> bool {
    let mut search = Exits { found: false, inner_loops: 0, inner_labels: Vec::new() };
    search.visit_block(body);
    search.found
}

struct Exits {
    found: bool,
    inner_loops: usize,
    /// The labels of blocks and loops inside: to break out of them leaves nothing.
    inner_labels: Vec<Ident>,
}

impl Exits {
    fn inside(&mut self, label: Option<&Label>, visit: impl FnOnce(&mut Self)) {
        self.inner_loops += 1;
        self.labelled(label, visit);
        self.inner_loops -= 1;
    }

    fn labelled(&mut self, label: Option<&Label>, visit: impl FnOnce(&mut Self)) {
        let outer = self.inner_labels.len();
        self.inner_labels.extend(label.map(|label| label.name.ident.clone()));
        visit(self);
        self.inner_labels.truncate(outer);
    }
}

impl<'ast> Visit<'ast> for Exits {
    fn visit_expr_break(&mut self, leave: &'ast syn::ExprBreak) {
        self.found |= match &leave.label {
            Some(label) => !self.inner_labels.contains(&label.ident),
            None => self.inner_loops == 0,
        };
        visit::visit_expr_break(self, leave);
    }

    fn visit_expr_return(&mut self, _: &'ast syn::ExprReturn) {
        self.found = true;
    }

    fn visit_expr_try(&mut self, _: &'ast syn::ExprTry) {
        self.found = true;
    }

    fn visit_macro(&mut self, invocation: &'ast syn::Macro) {
        self.found |= !is_known(invocation) || leaves(invocation.tokens.clone());
    }

    fn visit_expr_loop(&mut self, inner: &'ast ExprLoop) {
        self.inside(inner.label.as_ref(), |this| visit::visit_expr_loop(this, inner));
    }

    fn visit_expr_while(&mut self, inner: &'ast ExprWhile) {
        self.inside(inner.label.as_ref(), |this| visit::visit_expr_while(this, inner));
    }

    fn visit_expr_for_loop(&mut self, inner: &'ast syn::ExprForLoop) {
        self.inside(inner.label.as_ref(), |this| visit::visit_expr_for_loop(this, inner));
    }

    fn visit_expr_block(&mut self, inner: &'ast syn::ExprBlock) {
        self.labelled(inner.label.as_ref(), |this| visit::visit_expr_block(this, inner));
    }

    // What returns inside them does not leave the loop.
    fn visit_expr_async(&mut self, _: &'ast ExprAsync) {}
    fn visit_expr_closure(&mut self, _: &'ast ExprClosure) {}
    fn visit_item(&mut self, _: &'ast syn::Item) {}
}

/// Macros that only compute or print; any other may hide a way out.
fn is_known(invocation: &syn::Macro) -> bool {
    const KNOWN: &[&str] = &[
        "print",
        "println",
        "eprint",
        "eprintln",
        "format",
        "format_args",
        "write",
        "writeln",
        "vec",
        "dbg",
        "matches",
        "assert",
        "assert_eq",
        "assert_ne",
        "debug_assert",
        "debug_assert_eq",
        "debug_assert_ne",
        "concat",
        "stringify",
        "env",
        "line",
        "file",
        "module_path",
        "trace",
        "debug",
        "info",
        "warn",
        "error",
        "event",
        "counter",
        "gauge",
        "histogram",
    ];
    invocation.path.segments.last().is_some_and(|last| KNOWN.iter().any(|known| last.ident == known))
}

fn leaves(tokens: TokenStream) -> bool {
    flatten(tokens).into_iter().any(|token| match token {
        TokenTree::Punct(punct) => punct.as_char() == '?',
        TokenTree::Ident(ident) => ident == "return" || ident == "break",
        _ => false,
    })
}

/// Whether a pattern somewhere in the block binds this name anew.
pub(crate) fn binds(block: &Block, name: &Ident) -> bool {
    struct Search<'a>(&'a Ident, bool);
    impl<'ast> Visit<'ast> for Search<'_> {
        fn visit_pat(&mut self, pattern: &'ast Pat) {
            if let Pat::Ident(pattern) = pattern {
                self.1 |= pattern.ident == *self.0;
            }
            visit::visit_pat(self, pattern);
        }
    }
    let mut search = Search(name, false);
    search.visit_block(block);
    search.1
}
