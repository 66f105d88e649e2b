//! The words of the attributes, each spelt once.

/// A key of an attribute, and what becomes of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key {
    /// As it is written.
    pub(crate) name: &'static str,
    /// What its value looks like, for messages.
    pub(crate) example: &'static str,
    /// Whether this build has it: some belong to a feature of their own name.
    pub(crate) built: bool,
}

const fn key(name: &'static str, example: &'static str) -> Key {
    Key { name, example, built: true }
}

const KUBERNETES: Key = Key {
    name: "kubernetes",
    example: "kubernetes = \"deploy/service.yaml\"",
    built: cfg!(feature = "kubernetes"),
};

const CRATE: Key = key("crate", "crate = path");
const BUDGET: Key = key("budget", "budget = \"10s\"");
const USES: Key = key("uses", "uses(A, B)");

/// The keys of `#[background_task]`.
pub(crate) const TASK_KEYS: &[Key] = &[
    BUDGET,
    key("every", "every = \"500ms\""),
    key("stop", "stop = \"signal\""),
    key("on_error", "on_error = \"shutdown\""),
    key("on_exit", "on_exit = \"fail\""),
    key("unit", "unit = \"10s\""),
    key("batch", "batch = 50"),
    key("per_item", "per_item = \"100ms\""),
    USES,
    key("type", "type = Name"),
    key("fail_after", "fail_after = 10"),
    key("last", "last = true"),
    key("ready", "ready = \"explicit\""),
    key("ready_within", "ready_within = \"30s\""),
    CRATE,
];

/// The keys of `#[shutdown_hook]`.
pub(crate) const HOOK_KEYS: &[Key] =
    &[BUDGET, USES, key("at", "at = \"drain\""), key("type", "type = Name"), CRATE];

/// The keys of `#[resource]`.
pub(crate) const RESOURCE_KEYS: &[Key] = &[key("close", "close = path"), BUDGET, USES, CRATE];

/// The keys of `#[shutdown_order]`.
pub(crate) const ORDER_KEYS: &[Key] = &[key("after", "after = item"), key("before", "before = item"), CRATE];

/// The keys of `#[shutdown_plan]`.
pub(crate) const PLAN_KEYS: &[Key] = &[
    BUDGET,
    key("pre_stop", "pre_stop = \"10s\""),
    key("lame_duck", "lame_duck = \"2s\""),
    key("margin", "margin = \"2s\""),
    key("part", "part"),
    key("job", "job"),
    key("readiness", "readiness = \"after-lame-duck\""),
    KUBERNETES,
    CRATE,
];

/// The keys of `#[phase]`.
pub(crate) const PHASE_KEYS: &[Key] = &[BUDGET];

/// The keys of `#[shutdown_runtime::main]`.
pub(crate) const MAIN_KEYS: &[Key] =
    &[key("flavor", "flavor = \"multi_thread\""), key("worker_threads", "worker_threads = 2"), CRATE];

/// The keys of the `#[uses]` beside `#[derive(Uses)]`.
pub(crate) const DERIVE_KEYS: &[Key] = &[CRATE];

/// The attributes that declare something that stops; an item has one of them.
pub(crate) const DECLARING: &[&str] = &["background_task", "shutdown_hook", "resource", "shutdown_plan"];

/// The attribute that orders items and fields.
pub(crate) const SHUTDOWN_ORDER: &str = "shutdown_order";
/// The attribute that gives a field's members their default budget.
pub(crate) const PHASE: &str = "phase";
/// Says that a `#[shutdown_order]` has already moved below the other attributes once.
pub(crate) const ROTATED: &str = "__shutdown_order_rotated";
/// The last path segment by which the parameter for the stop is recognised.
pub(crate) const SHUTDOWN: &str = "Shutdown";
