//! A background task or a shutdown hook.

use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote};
use syn::{Expr, Ident, ReturnType, Type};

use crate::diag::{Problem, Problems};
use crate::model::generics::ItemGenerics;
use crate::model::iterations::Iterations;
use crate::model::once::declared_once;
use crate::model::order::{Order, orders};
use crate::model::parameter::{Parameter, ParameterKind, parameters};
use crate::model::ready::Ready;
use crate::model::unit::Unit;
use crate::names::{HOOK_KEYS, SHUTDOWN_ORDER, TASK_KEYS};
use crate::parse::arguments::{Arguments, string};
use crate::parse::duration::{UNKNOWN, duration};
use crate::parse::item_fn::FnItem;
use crate::parse::{attributes, plain, unwrap_group, unwrap_type};
use crate::runtime_path::RuntimePath;

/// Which of the two an annotated function is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FnKind {
    /// Runs from the start until its phase stops.
    Task,
    /// Runs once, when its phase is reached.
    Hook,
}

impl FnKind {
    /// The attribute's name.
    pub(crate) fn attribute(self) -> &'static str {
        match self {
            Self::Task => "background_task",
            Self::Hook => "shutdown_hook",
        }
    }

    /// The runtime's name for it.
    pub(crate) fn variant(self) -> &'static str {
        match self {
            Self::Task => "Task",
            Self::Hook => "Hook",
        }
    }

    /// What messages call it.
    pub(crate) fn noun(self) -> &'static str {
        match self {
            Self::Task => "task",
            Self::Hook => "hook",
        }
    }
}

/// The interval of a periodic task.
#[derive(Clone, Debug)]
pub(crate) enum Every {
    /// `every = "500ms"`, in milliseconds.
    Millis(u64),
    /// `every = expr`, evaluated once in the call.
    Expr(Box<Expr>),
}

/// How a task learns of the stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// Watches its `Shutdown`, or is periodic.
    Signal,
    /// Its future is dropped.
    Drop,
    /// Its input ends.
    Input,
}

/// A background task or a shutdown hook.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    /// Which of the two.
    pub(crate) kind: FnKind,
    /// The function as written, without our attributes.
    pub(crate) item: FnItem,
    /// Where the runtime is.
    pub(crate) runtime: RuntimePath,
    /// The written budget, in milliseconds.
    pub(crate) budget: Option<u64>,
    /// The interval of a periodic task.
    pub(crate) every: Option<Every>,
    /// The key `stop`, if it was written.
    pub(crate) stop: Option<(Ident, Stop)>,
    /// `on_error`: whether an `Err` is only logged, if it was written.
    pub(crate) logs_errors: Option<bool>,
    /// `on_exit`: the variant's name, if it was written.
    pub(crate) on_exit: Option<(Ident, usize)>,
    /// The key `at` of a hook that runs at the drain, if it was written.
    pub(crate) at_drain: Option<Ident>,
    /// The keys of a task that says itself when it is ready, if they were written.
    pub(crate) ready: Option<Ready>,
    /// What it says of its iterations.
    pub(crate) iterations: Iterations,
    /// The name of the generated type, if `type` gives one.
    pub(crate) type_name: Option<Ident>,
    /// How long one unit of its work may take, if that was written.
    pub(crate) unit: Option<Unit>,
    /// The resources that the item declares to use.
    pub(crate) uses: Option<Vec<Type>>,
    /// The orders that travel with it.
    pub(crate) orders: Vec<Order>,
    /// Its parameters.
    pub(crate) parameters: Vec<Parameter>,
    /// Its generics.
    pub(crate) generics: ItemGenerics,
}

impl Task {
    /// Reads the attribute and the signature.
    pub(crate) fn new(
        kind: FnKind,
        arguments: TokenStream,
        mut item: FnItem,
        problems: &mut Problems,
    ) -> Self {
        let keys = match kind {
            FnKind::Task => TASK_KEYS,
            FnKind::Hook => HOOK_KEYS,
        };
        let mut arguments = Arguments::parse(kind.attribute(), keys, arguments, problems);
        let runtime = arguments.take_crate();
        let budget = arguments.take_expr("budget", problems).map(|(_, value)| {
            duration("budget", &value, false, problems).map_or(UNKNOWN, |millis| millis.value)
        });
        // A malformed interval still makes the task periodic: its `&mut` state and its missing `Shutdown` are right.
        let periodic = arguments.wrote("every").then_some(Every::Millis(1));
        let every =
            arguments.take_expr("every", problems).map(|(_, value)| every(value, problems)).or(periodic);
        let stop =
            arguments.take_word("stop", &["signal", "drop", "input"], 1, problems).map(|(key, place)| {
                (key, [Stop::Signal, Stop::Drop, Stop::Input].into_iter().nth(place).unwrap_or(Stop::Signal))
            });
        let logs_errors =
            arguments.take_word("on_error", &["shutdown", "log"], 0, problems).map(|(_, place)| place == 1);
        let on_exit = arguments.take_word("on_exit", &["fail", "shutdown", "continue"], 0, problems);
        let at_drain = arguments.take_word("at", &["drain"], 0, problems).map(|(key, _)| key);
        let ready = Ready::take(&mut arguments, problems);
        let iterations = Iterations::take(&mut arguments, problems);
        let unit = Unit::take(&mut arguments, problems);
        let uses = arguments.take_types("uses", problems).map(|(_, types)| types);
        let type_name = arguments.take_ident("type", problems);
        let order_attributes = attributes::take(&mut item.attributes, SHUTDOWN_ORDER);
        let own_name = type_name.as_ref().unwrap_or(&item.signature.ident);
        let orders = orders(&order_attributes, own_name, problems);
        declared_once(kind.attribute(), &item.signature.ident, &mut item.attributes, problems);
        attributes::name_spans(&mut item.attributes, &item.signature.ident);
        let parameters = parameters(&item.signature.inputs, every.is_some(), problems);
        let generics = ItemGenerics::divide(&item.signature.generics);
        Self {
            kind,
            item,
            runtime,
            budget,
            every,
            stop,
            logs_errors,
            on_exit,
            at_drain,
            ready,
            iterations,
            type_name,
            unit,
            uses,
            orders,
            parameters,
            generics,
        }
    }

    /// The function's name.
    pub(crate) fn name(&self) -> &Ident {
        &self.item.signature.ident
    }

    /// The type's name: the function's, unless `type` gives another.
    pub(crate) fn type_name(&self) -> &Ident {
        self.type_name.as_ref().unwrap_or_else(|| self.name())
    }

    /// The name as messages show it.
    pub(crate) fn shown(&self) -> String {
        plain(self.name())
    }

    /// The parameter through which it watches the stop.
    pub(crate) fn shutdown(&self) -> Option<&Parameter> {
        self.parameters.iter().find(|parameter| matches!(parameter.kind, ParameterKind::Shutdown))
    }

    /// All of them; most tasks have one.
    pub(crate) fn shutdowns(&self) -> impl Iterator<Item = &Parameter> {
        self.parameters.iter().filter(|parameter| matches!(parameter.kind, ParameterKind::Shutdown))
    }

    /// Whether it returns `!`.
    pub(crate) fn never_returns(&self) -> bool {
        match &self.item.signature.output {
            ReturnType::Default => false,
            ReturnType::Type(_, ty) => matches!(unwrap_type(ty), Type::Never(_)),
        }
    }

    /// Whether it is seen to return no `Result`: it can never fail.
    pub(crate) fn never_fails(&self) -> bool {
        match &self.item.signature.output {
            ReturnType::Default => true,
            ReturnType::Type(_, ty) => match unwrap_type(ty) {
                Type::Never(_) => true,
                Type::Tuple(tuple) => tuple.elems.is_empty(),
                _ => false,
            },
        }
    }
}

fn every(value: Expr, problems: &mut Problems) -> Every {
    let literal = matches!(unwrap_group(&value), Expr::Lit(_));
    if string(&value).is_some() || literal {
        let millis = duration("every", &value, false, problems).map_or(1, |millis| millis.value);
        return Every::Millis(millis);
    }
    Every::Expr(Box::new(value))
}

/// A message for something that is neither the function nor the struct which `attribute` wants.
pub(crate) fn not_a_function(attribute: &str, keyword: &str, head: &TokenStream) -> Problem {
    let head = if head.is_empty() { quote!(#head) } else { head.to_token_stream() };
    let problem = Problem::at(
        &head,
        "not-a-function",
        format!("`#[{attribute}]` goes on a free `async fn`, not on a `{keyword}`"),
    );
    match keyword {
        "struct" => problem.help("declare a struct that must be closed with `#[resource(close = ...)]`"),
        "impl" | "trait" => problem.help("write a free `async fn` and take the struct as a parameter"),
        _ => problem.help(format!("write `#[{attribute}] async fn name(..) {{ .. }}`")),
    }
}
