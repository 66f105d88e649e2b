//! The annotated `main`.

use proc_macro2::{Literal, TokenStream};
use syn::{Expr, Ident};

use crate::diag::{Problem, Problems};
use crate::model::number::whole_number;
use crate::names::MAIN_KEYS;
use crate::parse::arguments::Arguments;
use crate::parse::item_fn::FnItem;
use crate::runtime_path::RuntimePath;

/// The annotated `main`.
#[derive(Clone, Debug)]
pub(crate) struct Main {
    /// The function as written.
    pub(crate) item: FnItem,
    /// Where the runtime is.
    pub(crate) runtime: RuntimePath,
    /// Whether the runtime has one thread.
    pub(crate) current_thread: bool,
    /// How many worker threads the runtime has, if that was written.
    pub(crate) worker_threads: Option<Literal>,
}

impl Main {
    /// Reads the attribute.
    pub(crate) fn new(arguments: TokenStream, item: FnItem, problems: &mut Problems) -> Self {
        let mut arguments = Arguments::parse("main", MAIN_KEYS, arguments, problems);
        let runtime = arguments.take_crate();
        let flavor = arguments.take_word("flavor", &["multi_thread", "current_thread"], 0, problems);
        let current_thread = flavor.is_some_and(|(_, place)| place == 1);
        let threads = arguments.take_expr("worker_threads", problems);
        let worker_threads =
            threads.and_then(|(key, value)| threads_of(&key, &value, current_thread, problems));
        Self { item, runtime, current_thread, worker_threads }
    }
}

fn threads_of(key: &Ident, value: &Expr, current_thread: bool, problems: &mut Problems) -> Option<Literal> {
    if current_thread {
        let what = "`worker_threads` with `flavor = \"current_thread\"`, which has just the one";
        problems.push(Problem::at(key, "conflicting-keys", what).help("remove one of the two keys"));
        return None;
    }
    let help = "write `worker_threads = 2`, or leave it out for one per core";
    let number = whole_number("worker_threads", value, help, problems)?;
    usize::try_from(number).ok().map(Literal::usize_suffixed)
}
