//! A plan and its fields.

use std::path::PathBuf;

use proc_macro2::TokenStream;
use syn::{Attribute, Expr, Ident, ItemStruct, LitStr, Type};

use crate::diag::text::text;
use crate::diag::{Problem, Problems, list, nearest};
use crate::model::once::declared_once;
use crate::model::order::Direction;
use crate::model::worlds::{FieldWords, World, take_conditional, worlds};
use crate::names::{ORDER_KEYS, PHASE, PHASE_KEYS, PLAN_KEYS, SHUTDOWN_ORDER};
use crate::parse::arguments::{Arguments, string};
use crate::parse::attributes::{cfgs, is_named, list_tokens};
use crate::parse::duration::{Millis, duration};
use crate::parse::{plain, unwrap_type};
use crate::runtime_path::RuntimePath;

/// The numbers of a whole plan.
#[derive(Clone, Debug, Default)]
pub(crate) struct Budgets {
    /// What the platform grants.
    pub(crate) budget: Option<Millis>,
    /// What the `preStop` hook spends of it.
    pub(crate) pre_stop: u64,
    /// The time between readiness off and the first phase.
    pub(crate) lame_duck: u64,
    /// What is kept for joins, report and exit.
    pub(crate) margin: u64,
}

/// A plan, or a part of one.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// The struct without our attributes.
    pub(crate) item: ItemStruct,
    /// Where the runtime is.
    pub(crate) runtime: RuntimePath,
    /// Whether it is a part.
    pub(crate) part: bool,
    /// Whether it is work that ends by itself.
    pub(crate) job: bool,
    /// Whether readiness turns off only at the end of the window.
    pub(crate) ready_in_window: bool,
    /// The Kubernetes manifest that it names.
    pub(crate) manifest: Option<Manifest>,
    /// Its numbers.
    pub(crate) budgets: Budgets,
    /// Its phases.
    pub(crate) fields: Vec<PhaseField>,
    /// The tables, one for each combination of the conditions in `#[cfg_attr]`.
    pub(crate) worlds: Vec<World>,
}

/// The file of a Kubernetes manifest.
#[derive(Clone, Debug)]
pub(crate) struct Manifest {
    /// As it was written.
    #[cfg_attr(
        not(feature = "kubernetes"),
        allow(dead_code, reason = "only the feature judges what it names")
    )]
    pub(crate) written: LitStr,
    /// Where it is.
    pub(crate) file: PathBuf,
}

impl Manifest {
    /// Takes the key out of the arguments of a plan; a path begins at the directory of the crate's `Cargo.toml`.
    fn take(arguments: &mut Arguments, part: bool, problems: &mut Problems) -> Option<Self> {
        let (key, written) = arguments.take_expr("kubernetes", problems)?;
        if part {
            refuse_on_part(&key, problems);
            return None;
        }
        let Some(written) = string(&written).cloned() else {
            let what = format!("`kubernetes` takes the path of a file in quotes, not `{}`", text(&written));
            let problem = Problem::at(&written, "bad-value", what);
            problems.push(problem.help("write `kubernetes = \"deploy/service.yaml\"`"));
            return None;
        };
        let root = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from).unwrap_or_default();
        Some(Self { file: root.join(written.value()), written })
    }
}

/// One field.
#[derive(Clone, Debug)]
pub(crate) struct PhaseField {
    /// Its name.
    pub(crate) name: Ident,
    /// Its type.
    pub(crate) ty: Type,
    /// Its `#[cfg]`s.
    pub(crate) cfgs: Vec<Attribute>,
}

/// The least margin, in milliseconds; also the default.
pub(crate) const MARGIN: u64 = 2_000;

impl Plan {
    /// Reads the attribute and the struct.
    pub(crate) fn new(arguments: TokenStream, mut item: ItemStruct, problems: &mut Problems) -> Self {
        let mut arguments = Arguments::parse("shutdown_plan", PLAN_KEYS, arguments, problems);
        let runtime = arguments.take_crate();
        let part = arguments.take_flag("part", problems).is_some();
        let job = arguments.take_flag("job", problems);
        let readiness = arguments.take_word("readiness", &["after-lame-duck"], 0, problems);
        let manifest = Manifest::take(&mut arguments, part, problems);
        let budgets = if part {
            let ends = job.iter().chain(readiness.as_ref().map(|(key, _)| key));
            ends.for_each(|key| refuse_on_part(key, problems));
            refuse_budgets_of_part(&mut arguments, problems);
            Budgets::default()
        } else {
            read_budgets(&mut arguments, &item.ident, problems)
        };
        declared_once("shutdown_plan", &item.ident, &mut item.attrs, problems);
        let mut fields = Vec::new();
        let mut written = Vec::new();
        for field in &mut item.fields {
            let ours = take_conditional(&mut field.attrs);
            let Some(name) = field.ident.clone() else { continue };
            fields.push(PhaseField { name, ty: field.ty.clone(), cfgs: cfgs(&field.attrs) });
            written.push(ours);
        }
        let worlds = worlds(&fields, &written, problems);
        let (job, ready_in_window) = (job.is_some(), readiness.is_some());
        Self { item, runtime, part, job, ready_in_window, manifest, budgets, fields, worlds }
    }
}

fn refuse_budgets_of_part(arguments: &mut Arguments, problems: &mut Problems) {
    for key in ["budget", "pre_stop", "lame_duck", "margin"] {
        if let Some((key, _)) = arguments.take_expr(key, problems) {
            let what = format!("`{key}` on a part: a part has no time of its own");
            let help = if key == "budget" {
                "write `#[phase(budget = ...)]` on the field that holds the part".to_owned()
            } else {
                format!("write `{key}` on the plan that holds the part")
            };
            problems.push(Problem::at(&key, "conflicting-keys", what).help(help));
        }
    }
}

/// Only a whole plan has an end of its own, and readiness.
fn refuse_on_part(key: &Ident, problems: &mut Problems) {
    let what = format!("`{key}` on a part: it is the whole plan's to say");
    let help = format!("write `{key}` on the plan that holds the part");
    problems.push(Problem::at(key, "conflicting-keys", what).help(help));
}

fn read_budgets(arguments: &mut Arguments, name: &Ident, problems: &mut Problems) -> Budgets {
    let budget = if arguments.wrote("budget") {
        let written = arguments.take_expr("budget", problems);
        written.and_then(|(_, value)| duration("budget", &value, false, problems))
    } else {
        let what = format!("`{}` does not say how much time the platform grants", plain(name));
        let problem = Problem::at(name, "missing-budget", what).help(
                "write `#[shutdown_plan(budget = \"30s\")]` with Kubernetes' `terminationGracePeriodSeconds` or your platform's limit",
            );
        problems.push(problem.note("a plan that stands in a field of another is `#[shutdown_plan(part)]`"));
        None
    };
    let mut zero_or = |key: &str, default: u64, problems: &mut Problems| {
        let read = arguments
            .take_expr(key, problems)
            .and_then(|(_, value)| duration(key, &value, key != "margin", problems));
        if let Some(millis) = read.as_ref().filter(|millis| key == "margin" && millis.value < MARGIN) {
            let what = "the `margin` is under 2s, too short to join, report and exit";
            problems.push(
                Problem::at(&millis.written, "small-margin", what)
                    .help("write `margin = \"2s\"` or leave it out"),
            );
        }
        read.map_or(default, |millis| millis.value)
    };
    let pre_stop = zero_or("pre_stop", 0, problems);
    let lame_duck = zero_or("lame_duck", 0, problems);
    let margin = zero_or("margin", MARGIN, problems);
    Budgets { budget, pre_stop, lame_duck, margin }
}

pub(crate) fn read_words(
    number: usize,
    attribute: &Attribute,
    fields: &[PhaseField],
    problems: &mut Problems,
) -> FieldWords {
    let mut words = FieldWords::default();
    if list_tokens(attribute).is_empty() {
        let (name, example) = if is_named(attribute, PHASE) {
            (PHASE, "#[phase(budget = \"10s\")]")
        } else {
            (SHUTDOWN_ORDER, "#[shutdown_order(after = [field])]")
        };
        let problem = Problem::at(attribute, "bad-syntax", format!("`#[{name}]` says nothing"));
        problems.push(problem.help(format!("write `{example}`, or remove it")));
        return words;
    }
    if is_named(attribute, PHASE) {
        let mut arguments = Arguments::parse(PHASE, PHASE_KEYS, list_tokens(attribute), problems);
        let budget: Option<(Ident, Expr)> = arguments.take_expr("budget", problems);
        words.budget = budget
            .and_then(|(_, value)| duration("budget", &value, false, problems))
            .map(|millis| millis.value);
        return words;
    }
    let mut arguments = Arguments::parse(SHUTDOWN_ORDER, ORDER_KEYS, list_tokens(attribute), problems);
    arguments.take_crate();
    for direction in Direction::BOTH {
        let Some((_, types)) = arguments.take_types(direction.key(), problems) else { continue };
        let named = types.iter().filter_map(|ty| named_field(number, ty, direction, fields, problems));
        let named: Vec<usize> = named.collect();
        match direction {
            Direction::After => words.order.after = Some(named),
            Direction::Before => words.order.before = named,
        }
    }
    let both = words
        .order
        .before
        .iter()
        .find(|field| words.order.after.iter().flatten().any(|after| after == *field));
    if let Some(field) = both.and_then(|field| fields.get(*field)) {
        let what = format!("a field cannot stop both after and before `{}`", plain(&field.name));
        problems.push(Problem::at(attribute, "conflicting-keys", what).help("keep one of the two"));
    }
    words
}

fn named_field(
    number: usize,
    ty: &Type,
    direction: Direction,
    fields: &[PhaseField],
    problems: &mut Problems,
) -> Option<usize> {
    let ident = match unwrap_type(ty) {
        Type::Path(path) => path.path.get_ident(),
        _ => None,
    };
    let place = ident.and_then(|ident| fields.iter().position(|field| field.name == *ident));
    if place == Some(number) {
        let what = format!("the field `{}` cannot stop {} itself", text(ty), direction.key());
        problems.push(Problem::at(ty, "self-order", what).help("name another field, or remove the order"));
        return None;
    }
    if place.is_none() {
        let names: Vec<String> = fields.iter().map(|field| plain(&field.name)).collect();
        let written = text(ty);
        let by_type = fields.iter().find(|field| text(&field.ty) == written);
        let near = by_type
            .map(|field| plain(&field.name))
            .or_else(|| nearest(&written, names.iter().map(String::as_str)).map(str::to_owned));
        let help = match near {
            Some(near) => {
                format!("did you mean `{near}`? The fields are {}", list(names.iter().map(String::as_str)))
            }
            None => format!("the fields are {}", list(names.iter().map(String::as_str))),
        };
        let what = format!("the plan has no field `{written}`");
        problems.push(Problem::at(ty, "unknown-phase", what).help(help));
    }
    place
}
