//! `closes-lease`: a task that closes what it was only lent.

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
        let lent = root.and_then(|root| self.lent.iter().find(|parameter| parameter.name == *root));
        if let Some(parameter) = lent.filter(|_| call.method == "close" && call.args.is_empty()) {
            let (name, task) = (crate::parse::plain(&parameter.name), self.task.shown());
            let what = format!("`{task}` closes `{name}`, which it was only lent: others may still use it");
            let problem = Problem::at(&call.method, "closes-lease", what)
                .help("remove the call: the plan closes the resource once all who use it are over");
            self.problems.push(problem.note("for a method of this name that closes something else, use the path form: `Type::close(value)`"));
        }
        visit::visit_expr_method_call(self, call);
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
