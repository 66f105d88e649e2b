#![doc = include_str!("../README.md")]

mod announcement;
mod board;
mod children;
mod closing;
mod counters;
mod deadline;
mod declare;
mod driver;
mod duration;
mod entry;
mod error;
mod gate;
pub mod graph;
mod guarded;
#[cfg(feature = "http")]
pub mod http;
mod item;
mod lease;
mod ledger;
mod main_output;
mod member;
mod metering;
mod notice;
mod output;
mod periodic;
mod phase;
mod plan;
mod probe;
mod process;
mod readiness;
mod reason;
mod report;
mod resource;
#[cfg(feature = "serde")]
mod serialised;
mod shutdown;
mod span;
mod startup;
mod sync;
mod task;
#[cfg(feature = "test-util")]
pub mod testing;
mod timeline;
mod trigger;
mod unit;
mod uses;
mod watchdog;

#[doc(hidden)]
pub mod __private;

/// Derives [`Uses`](trait@Uses) on a struct of leases, such as an axum state.
pub use shutdown_macros::Uses;
/// Declares a background task on a free `async fn`.
///
/// It leaves a function of the same name, which takes the arguments and returns an inert value, and a type of that name,
/// which the value has and a plan's field is written with; the function as written is `name::body(...)`, for unit tests.
/// One `use` brings all. Where a module or a crate has the name already, `type = Name` gives the type another: the field is
/// then `Name`, and the function as written `Name::body(...)`.
///
/// # Parameters
///
/// - `&T` is a lent resource: the call takes `&Resource<T>` or `&Lease<T>`.
/// - [`Lease<T>`] is an owned handle, and a use of `T`.
/// - [`Shutdown`] (by its last path segment, so not `std::net::Shutdown`) is supplied by the plan.
/// - `&mut T` in a periodic task is state that the loop owns; the call takes `T`.
/// - Anything else is an ordinary argument; a periodic task clones it for each iteration. A type that implements [`Uses`]
///   is a use of what it holds; one that may hide a lease is refused (`hidden-lease`).
///
/// # Keys
///
/// | key | meaning | default |
/// |---|---|---|
/// | `budget = "10s"` | time to finish after its phase is told to stop | 10 s |
/// | `every = "500ms"` or `every = expr` | periodic: the body is one iteration, the first at once; none starts after a stop, none is cut short. `expr` is evaluated once and sees the parameters by reference; zero is a start error | – |
/// | `stop = "signal"` | the body watches its `Shutdown` parameter | for a task that is not periodic |
/// | `stop = "drop"` | nothing to lose: dropped at its next await | |
/// | `stop = "input"` | ends by itself once its feeder has gone; needs `#[shutdown_order(after = feeder)]` | |
/// | `on_error = "shutdown"` / `"log"` | an `Err` starts the shutdown / is logged, and the next iteration backs off, doubling to at most 30 s | periodic: `log`, others: `shutdown` |
/// | `fail_after = 10` | with `every`, `on_error = "log"` and a `Result`: so many errors in a row start the shutdown after all; the back-off between them counts too, so ten of a task `every = "500ms"` take some 150 s | never |
/// | `last = true` | with `every`: one final iteration when told to stop (a flusher); twice the `unit` must fit the budget | `false` |
/// | `on_exit = "fail"` / `"shutdown"` / `"continue"` | what an `Ok` before any stop means: a failure / the natural end / a one-off job that is done | `fail` |
/// | `unit = "10s"` | the longest that one unit of work (a request, a message, an iteration) may take; must fit the budget | – |
/// | `batch = 50, per_item = "100ms"` | the same for a unit of many items: 50 × 100 ms = 5 s | – |
/// | `ready = "explicit"`, `ready_within = "30s"` | counts as started once it calls [`Shutdown::ready`]; the phases above it and readiness wait so long, then the start has failed | started when spawned; `ready_within`: 30 s |
/// | `uses(A, B)` | resources hidden in an opaque argument; `uses()`: none, I looked | – |
/// | `type = Name` | name of the generated type, where a module or a crate has the function's | the function's |
/// | `crate = path` | where this crate is, if renamed | `::shutdown_runtime` |
///
/// # Start
///
/// A plan starts its tasks bottom to top, and turns readiness on when all have started. A task has started when it is spawned;
/// with `ready = "explicit"`, when it calls [`Shutdown::ready`]. The phases above its own (those that stop before it) and
/// readiness wait for that, each such task at most its `ready_within`. One that takes longer, or ends before it said so
/// (whatever `on_exit` and `on_error` say), has failed, and so has the start: nothing more is started, what had started stops
/// in order, and the exit code is 1. A signal meanwhile does the same, and is no failure.
///
/// # Units of work
///
/// A stop waits for the unit at hand, so the longest that one may take has to fit the budget: what does not fit is refused
/// (`unit-over-budget`), here where a budget is written, else in the plan, where `#[phase(budget)]` or the default decides.
/// Make the units smaller rather than the budget larger.
///
/// Every iteration of a periodic task is measured, and everything that runs through [`Shutdown::unit`]. One that takes longer
/// than was declared is a warning in the log, at most one a minute for each task with the number of those left out, long before any
/// stop has to wait for it. An iteration that is still running then (and has for more than a second) is told of once, since it
/// may never end. The report counts them: [`MemberReport::units_over_limit`]; they
/// change neither an outcome nor the exit code.
///
/// # Errors and panics
///
/// A task returns `()`, `!` or `Result<(), E>` with `E: Into<Box<dyn Error + Send + Sync>>`. A panic starts the shutdown. During
/// the drain an `Err` is `Failed` either way.
///
/// # Examples
///
/// ```
/// use std::time::Duration;
/// use shutdown_runtime::{Shutdown, background_task, resource};
///
/// #[resource(close = async |_: &Db| ())]
/// struct Db;
///
/// /// One iteration: never cut short by a stop, never started after one.
/// #[background_task(every = "500ms", budget = "10s")]
/// async fn outbox_relay(_db: &Db, published: &mut u64) -> std::io::Result<()> {
///     *published += 1;
///     Ok(())
/// }
///
/// #[background_task(budget = "5s")]
/// async fn poller(shutdown: Shutdown) {
///     while shutdown.sleep(Duration::from_secs(1)).await {
///         // between two waits nothing is cut
///     }
/// }
/// ```
pub use shutdown_macros::background_task;
/// What the body of `main` returns is run: `#[shutdown_runtime::main]` on `async fn main()` or `async fn main(startup: Startup)`.
///
/// The function returns a plan, `Result<Plan, E>` with `E: Display`, or `Result<Option<Plan>, E>`. Signal handlers are
/// installed before any of the body runs; a signal meanwhile cancels it at its next await, and what it had made is closed,
/// newest first. Under this `main`, `SHUTDOWN_PLAN=text|mermaid|dot|json|kubernetes` prints the plan and exits, and
/// `SHUTDOWN_BUDGET=10s` lowers the total where the platform grants less: the time from the trigger to the end, `margin`
/// included, without any `pre_stop`.
///
/// Takes `flavor = "multi_thread"` or `"current_thread"`, `worker_threads = N`, and `crate = path`.
///
/// # Exit codes
///
/// 0: a signal, request or natural end, all clean. 1: a failure, a member that did not end well, or a failed start.
/// 70: the watchdog. 128 + n or death by the signal: forced. 128 + n: a signal cut a `job` short, be it in its start-up.
///
/// # Examples
///
/// ```no_run
/// use shutdown_runtime::{Shutdown, background_task, shutdown_plan};
///
/// #[background_task]
/// async fn api(shutdown: Shutdown) {
///     shutdown.requested().await;
/// }
///
/// #[shutdown_plan(budget = "30s")]
/// struct Service {
///     api: api,
/// }
///
/// #[shutdown_runtime::main]
/// async fn main() -> Service {
///     Service { api: api() }
/// }
/// ```
pub use shutdown_macros::main;
/// Declares a resource on a struct: what is closed once everyone who uses it is over.
///
/// `close` is a path or an async closure, called with `&T`, or with `&T` and a [`Closing`], returning `()` or a `Result`;
/// without it the type implements [`Close`]. `budget` (default 5 s) covers waiting for leases that are still out (at most
/// half of it) and the close. `uses(A, B)` names resources hidden in a field. The close and the final drop run on a thread
/// of their own. Not `Clone` (`clone-resource`), no type parameters (`generic-resource`).
///
/// # Examples
///
/// ```
/// use shutdown_runtime::{Closing, resource};
///
/// #[resource(close = flush, budget = "3s")]
/// struct Events(Vec<u8>);
///
/// async fn flush(events: &Events, closing: Closing) -> Result<(), String> {
///     println!("flushing {} bytes within {:?}", events.0.len(), closing.time_left());
///     Ok(())
/// }
/// ```
pub use shutdown_macros::resource;
/// Declares a hook on a free `async fn`: it runs once, when its phase is reached.
///
/// Parameters as for [`background_task`], budget 5 s by default, and the keys `uses`, `type` and `crate`.
///
/// With `at = "drain"` it runs in the first instant of the stop instead, once readiness is off and before the window, whatever
/// stands above its field: to deregister from a service registry while everything still works. Such hooks run together, and the
/// plan's budget must hold the largest of theirs besides the longest path. Its field still says who owns it, and its phase's
/// line in the report has it.
///
/// # Examples
///
/// ```
/// use shutdown_runtime::{Shutdown, background_task, shutdown_hook, shutdown_plan};
///
/// #[background_task]
/// async fn http_api(shutdown: Shutdown) {
///     shutdown.requested().await;
/// }
///
/// #[shutdown_hook(budget = "2s")]
/// async fn leave_cluster() {
///     println!("bye");
/// }
///
/// #[shutdown_hook(at = "drain", budget = "3s")]
/// async fn deregister() {
///     println!("no more requests, please");
/// }
///
/// // deregister 3s + http_api 10s + leave_cluster 2s + margin 2s
/// #[shutdown_plan(budget = "17s")]
/// struct Service {
///     ingress: http_api,
///     cluster: (leave_cluster, deregister),
/// }
/// ```
pub use shutdown_macros::shutdown_hook;
/// Orders two items, or two fields of a plan: `after = path`, `before = path`, `after = [a, b]`.
///
/// On a task, hook or resource it is a constraint that travels with the item: every plan that holds both must have a path
/// between them (`order-violated`). It stands above or below the item's other attribute; below, and on a field, it needs no
/// import. On a field it makes the plan a graph: a field without it follows every field above;
/// with `after = [a, b]` just those, with `after = []` none; with `before = c` alone every field above `c`, and it precedes
/// `c`.
///
/// # Examples
///
/// ```
/// use shutdown_runtime::{Shutdown, background_task, shutdown_plan};
///
/// #[background_task]
/// async fn http_api(shutdown: Shutdown) {
///     shutdown.requested().await;
/// }
///
/// /// Sends what the handlers queue, so it stops after them.
/// #[background_task]
/// #[shutdown_order(after = http_api)]
/// async fn mailer(shutdown: Shutdown) {
///     shutdown.requested().await;
/// }
///
/// #[shutdown_plan(budget = "30s")]
/// struct Service {
///     ingress: http_api,
///     mail: mailer,
/// }
/// ```
pub use shutdown_macros::shutdown_order;
/// Declares a plan on a struct: its fields are the phases, in the order in which they stop.
///
/// Fields hold tasks, hooks, `Resource<T>`, tuples, `Option`s and `Vec`s of these, or another plan declared
/// `#[shutdown_plan(part)]`. `#[phase(budget = "25s")]` on a field is the default for members that wrote no budget.
///
/// | key | meaning | default |
/// |---|---|---|
/// | `budget` | the whole time that the platform grants, such as `terminationGracePeriodSeconds` | required |
/// | `pre_stop` | what its `preStop` hook spends before the signal arrives | 0 |
/// | `lame_duck` | the time between readiness off and the first phase | 0 |
/// | `margin` | what is kept for joins, report and exit | 2 s, also the least |
/// | `readiness = "after-lame-duck"` | readiness stays on through the window and turns off at its end, where the platform still sends traffic to the last ready pod | off in the first instant of a stop |
/// | `job` | work that ends by itself: a signal before its natural end exits 128 + n even when all is clean, a `request` 1 | – |
/// | `part` | a part of another plan; no budgets of its own | – |
///
/// # Kubernetes
///
/// With the feature `kubernetes` the plan names the manifest of its service: `kubernetes = "deploy/service.yaml"`, from the
/// directory of the crate's `Cargo.toml`. One that grants less than the plan counts on does not compile
/// (`manifest-grants-less`): `terminationGracePeriodSeconds`, 30 where it is not written, must cover `budget`, and a `preStop`
/// hook must take `pre_stop`, as far as it can be read: a `sleep`, or a command that only sleeps. Every `Deployment`, `StatefulSet`,
/// `DaemonSet`, `Job`, `CronJob` or `Pod` of the file is compared; other documents in it do not matter. A file without any, one
/// that is missing or no YAML is refused (`bad-manifest`). A change of the file has the crate checked again.
///
/// # Examples
///
/// A pool that closes before the task that uses it does not compile:
///
/// ```compile_fail,E0080
/// use shutdown_runtime::{Resource, Shutdown, background_task, resource, shutdown_plan};
///
/// #[resource(close = async |_: &Db| ())]
/// struct Db;
///
/// #[background_task]
/// async fn relay(db: &Db, shutdown: Shutdown) {
///     shutdown.requested().await;
/// }
///
/// #[shutdown_plan(budget = "30s")]
/// struct Service {
///     storage: Resource<Db>,
///     workers: relay,
/// }
/// ```
///
/// In the right order it does:
///
/// ```
/// # use shutdown_runtime::{Resource, Shutdown, background_task, resource, shutdown_plan};
/// # #[resource(close = async |_: &Db| ())]
/// # struct Db;
/// # #[background_task]
/// # async fn relay(db: &Db, shutdown: Shutdown) {
/// #     shutdown.requested().await;
/// # }
/// #[shutdown_plan(budget = "30s")]
/// struct Service {
///     workers: relay,
///     storage: Resource<Db>,
/// }
/// ```
pub use shutdown_macros::shutdown_plan;

pub use children::{Child, ChildError};
pub use closing::Closing;
pub use counters::Counter;
pub use driver::Running;
pub use entry::run_with;
pub use error::{CriticalError, SpawnError, StartError};
pub use item::{Item, Phase, TaskSpec};
pub use lease::{Issuer, Lease, Lend, Lent};
pub use ledger::Holder;
pub use main_output::MainOutput;
pub use output::{BoxError, Output, TaskResult};
pub use phase::{PhaseBuilder, Phases};
pub use plan::{Part, Plan};
pub use probe::NoHiddenLease;
pub use readiness::Readiness;
pub use reason::{Reason, Signal};
pub use report::{MemberReport, Outcome, PhaseReport, Report};
pub use resource::{BoxFuture, Close, Resource, ResourceSpec};
pub use shutdown::Shutdown;
pub use startup::Startup;
pub use task::TaskValue;
pub use trigger::ShutdownHandle;
pub use uses::Uses;
