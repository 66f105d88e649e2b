//! `closes-lease`: a task that closes what it was only lent.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Block, Expr, ExprMethodCall, Ident};

use crate::check::body::binds;
use crate::diag::{Problem, Problems};
use crate::model::parameter::Parameter;
use crate::model::task::Task;
use crate::parse::unwrap_group;

/// The plan closes a resource once, after everyone who uses it: a member that does it cuts the others off.
pub(crate) fn check(task: &Task, block: &Block, problems: &mut Problems) {
    let lent = task.parameters.iter().filter(|parameter| parameter.lends() && !binds(block, &parameter.name));
    let mut search = Closes { task, lent: lent.collect(), problems };
    search.visit_block(block);
}

struct Closes<'a> {
    task: &'a Task,
    lent: Vec<&'a Parameter>,
    problems: &'a mut Problems,
}

impl<'ast> Visit<'ast> for Closes<'_> {
    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        let root = root(&call.receiver);
        let lent = root.and_then(|root| self.lent.iter().find(|parameter| parameter.name == *root)).copied();
        if let Some(parameter) = lent.filter(|_| call.method == "close" && call.args.is_empty()) {
            self.refuse(parameter, &call.method);
        }
        visit::visit_expr_method_call(self, call);
    }

    // `join!(db.close())`: what a macro makes of its tokens is unknown, but such a call is one wherever it ends up.
    fn visit_macro(&mut self, invocation: &'ast syn::Macro) {
        self.judge_tokens(invocation.tokens.clone());
    }
}

impl Closes<'_> {
    fn judge_tokens(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        for (at, token) in tokens.iter().enumerate() {
            match token {
                TokenTree::Group(group) => self.judge_tokens(group.stream()),
                TokenTree::Ident(root)
                    if !is_dot(at.checked_sub(1).and_then(|before| tokens.get(before))) =>
                {
                    let lent = self.lent.iter().find(|parameter| parameter.name == *root).copied();
                    if let Some((parameter, method)) =
                        lent.zip(closing_call(tokens.get(at + 1..).unwrap_or_default()))
                    {
                        self.refuse(parameter, method);
                    }
                }
                TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }

    fn refuse(&mut self, parameter: &Parameter, method: &Ident) {
        let (name, task) = (crate::parse::plain(&parameter.name), self.task.shown());
        let what = format!("`{task}` closes `{name}`, which it was only lent: others may still use it");
        let problem = Problem::at(method, "closes-lease", what)
            .help("remove the call: the plan closes the resource once all who use it are over");
        self.problems.push(problem.note(
            "for a method of this name that closes something else, use the path form: `Type::close(value)`",
        ));
    }
}

fn is_dot(token: Option<&TokenTree>) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == '.')
}

/// The `close` of `.close()`, behind any number of fields.
fn closing_call(tokens: &[TokenTree]) -> Option<&Ident> {
    match tokens {
        [dot, TokenTree::Ident(method), TokenTree::Group(arguments), ..]
            if is_dot(Some(dot)) && arguments.delimiter() == Delimiter::Parenthesis =>
        {
            (method == "close" && arguments.stream().is_empty()).then_some(method)
        }
        [dot, TokenTree::Ident(_) | TokenTree::Literal(_), rest @ ..] if is_dot(Some(dot)) => {
            closing_call(rest)
        }
        _ => None,
    }
}

/// The variable of which an expression is a field of a field.
fn root(expr: &Expr) -> Option<&Ident> {
    match unwrap_group(expr) {
        Expr::Path(path) => path.path.get_ident(),
        Expr::Field(field) => root(&field.base),
        Expr::Paren(paren) => root(&paren.expr),
        Expr::Reference(reference) => root(&reference.expr),
        Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => root(&unary.expr),
        _ => None,
    }
}
