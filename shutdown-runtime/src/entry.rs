//! From an annotated `main` to an exit code: start-up, the plan's life, and the end of the process.

use std::future::Future;
use std::io::{self, Write as _};
use std::panic::AssertUnwindSafe;
use std::process::ExitCode;
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::{Either, select};
use tokio::time::timeout_at;

use crate::deadline::time_plan;
use crate::driver::{self, close_newest_first};
use crate::error::StartError;
use crate::graph::PlanSpec;
use crate::guarded::{panic_text, tell};
use crate::main_output::MainOutput;
use crate::plan::Plan;
use crate::process::Process;
use crate::reason::Reason;
use crate::report::Report;
use crate::startup::{self, Startup};
use crate::watchdog;

/// Which runtime `#[shutdown_runtime::main]` builds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Flavor {
    /// A thread for each core, or `worker_threads`.
    #[default]
    MultiThread,
    /// Everything on the main thread.
    CurrentThread,
}

/// How `#[shutdown_runtime::main]` builds its runtime.
#[derive(Clone, Copy, Debug, Default)]
pub struct RuntimeOptions {
    /// Which runtime.
    pub flavor: Flavor,
    /// How many threads the multi-threaded one has; tokio's default if `None`.
    pub worker_threads: Option<usize>,
}

/// What `#[shutdown_runtime::main]` expands to: runs the body, then its plan, and gives the exit code.
pub fn main<F, B>(options: RuntimeOptions, body: F) -> ExitCode
where
    F: FnOnce(Startup) -> B,
    B: Future<Output: MainOutput>,
{
    let spec = <Spec<B::Output>>::PLAN;
    if let Some(code) = print_plan(spec) {
        return code;
    }
    let process = match Process::take(spec, None) {
        Ok(process) => process,
        Err(error) => return process_failed(&error),
    };
    let runtime = match build(options) {
        Ok(runtime) => runtime,
        Err(error) => return process_failed(&StartError::Runtime(error)),
    };
    let ended = runtime.block_on(service(&process, body));
    let job = spec.conduct.job;
    let code = match &ended {
        Ok(Some(report)) => report.exit_code(),
        Err(StartError::Interrupted(Reason::Signal(signal))) if job => 128 + signal.number(),
        Err(StartError::Interrupted(Reason::Requested(_))) if job => 1,
        Ok(None) | Err(StartError::Interrupted(_)) => u8::from(process.is_unclean()),
        Err(_) => 1,
    };
    match &ended {
        Ok(Some(report)) => watchdog::write_report("", Some(report)),
        Ok(None) => {}
        Err(StartError::Interrupted(reason)) => {
            watchdog::write_report(&format!("stopped during start-up: {reason}"), None);
        }
        Err(error) => watchdog::write_report(&format!("Error: {error}"), None),
    }
    process.leave(runtime, code)
}

fn process_failed(error: &StartError) -> ExitCode {
    watchdog::write_report(&format!("Error: {error}"), None);
    ExitCode::FAILURE
}

fn build(options: RuntimeOptions) -> io::Result<tokio::runtime::Runtime> {
    let mut builder = match options.flavor {
        Flavor::MultiThread => tokio::runtime::Builder::new_multi_thread(),
        Flavor::CurrentThread => tokio::runtime::Builder::new_current_thread(),
    };
    if let Some(threads) = options.worker_threads.filter(|_| options.flavor == Flavor::MultiThread) {
        builder.worker_threads(threads.max(1));
    }
    builder.enable_all().build()
}

/// Reads the plan's tables off the type that `main` returns.
struct Spec<M>(std::marker::PhantomData<M>);

impl<M: MainOutput> Spec<M> {
    const PLAN: &'static PlanSpec = <M::Plan as Plan>::SPEC;
}

/// `SHUTDOWN_PLAN=text|mermaid|dot|json|kubernetes` prints the plan and does nothing else.
fn print_plan(plan: &'static PlanSpec) -> Option<ExitCode> {
    let format = std::env::var_os("SHUTDOWN_PLAN")?;
    let graph = crate::graph::Graph::new(plan);
    let text = match format.to_str() {
        Some("text") => graph.text(),
        Some("mermaid") => graph.mermaid(),
        Some("dot") => graph.dot(),
        Some("json") => graph.json(),
        Some("kubernetes") => graph.kubernetes(),
        _ => {
            let format = format.to_string_lossy();
            let line =
                format!("Error: SHUTDOWN_PLAN={format} is none of text, mermaid, dot, json, kubernetes");
            watchdog::write_report(&line, None);
            return Some(ExitCode::FAILURE);
        }
    };
    let mut stdout = io::stdout();
    let written = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
    Some(if written.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Runs a start-up and then its plan under a runtime of your own, such as `#[tokio::main]`'s. `None` if the start-up
/// returned no plan.
///
/// Signals are taken over at the call; what ran before it is not covered.
///
/// # Errors
///
/// [`StartError`] if the start-up failed or was interrupted, or the plan did not start. What had been made is closed.
///
/// # Examples
///
/// ```no_run
/// use shutdown_runtime::{Shutdown, StartError, background_task, run_with, shutdown_plan};
///
/// # #[background_task] async fn api(shutdown: Shutdown) { shutdown.requested().await }
/// #[shutdown_plan(budget = "30s")]
/// struct Service {
///     api: api,
/// }
///
/// #[tokio::main]
/// async fn main() -> Result<(), StartError> {
///     let report = run_with(async { Service { api: api() } }).await?;
///     println!("{}", report.map_or(String::new(), |report| report.to_string()));
///     Ok(())
/// }
/// ```
pub async fn run_with<B>(body: B) -> Result<Option<Report>, StartError>
where
    B: Future<Output: MainOutput>,
{
    let process = Process::take(<Spec<B::Output>>::PLAN, None)?;
    let report = service(&process, |_| body).await?;
    if let Some(report) = &report {
        watchdog::write_report("", Some(report));
    }
    Ok(report)
}

/// Runs a plan that is already there.
pub(crate) async fn run<P: Plan>(plan: P, total: Option<Duration>) -> Result<Report, StartError> {
    let process = Process::take(P::SPEC, total)?;
    match driver::start(plan, process.options()) {
        Ok(running) => {
            let report = running.stopped().await;
            watchdog::write_report("", Some(&report));
            Ok(report)
        }
        Err(refused) => {
            process.startup.remember_again(refused.resources);
            let reason = Reason::Failed("main", refused.error.to_string().into());
            clean_up(&process, P::SPEC, &reason).await;
            Err(refused.error)
        }
    }
}

/// The body, then its plan. A body that fails leaves nothing open.
async fn service<F, B>(process: &Process, body: F) -> Result<Option<Report>, StartError>
where
    F: FnOnce(Startup) -> B,
    B: Future<Output: MainOutput>,
{
    let spec = <Spec<B::Output>>::PLAN;
    let startup = &process.startup;
    let outcome = start_up(process, spec, body).await;
    let failed = match outcome {
        Ok(Some(plan)) => {
            let mut options = process.options();
            options.remembered = startup.take_resources();
            let mut made = options.remembered.clone();
            match driver::start(plan, options) {
                Ok(running) => {
                    drop(made);
                    return Ok(Some(running.stopped().await));
                }
                Err(refused) => {
                    // Those that were made elsewhere, such as in a spawned task, close first.
                    made.extend(
                        refused
                            .resources
                            .into_iter()
                            .filter(|resource| !startup::knows(&made, resource))
                            .collect::<Vec<_>>(),
                    );
                    startup.remember_again(made);
                    refused.error
                }
            }
        }
        Ok(None) => {
            clean_up(process, spec, &Reason::AllEnded).await;
            return Ok(None);
        }
        Err(error) => error,
    };
    let reason = match &failed {
        StartError::Interrupted(reason) => reason.clone(),
        other => Reason::Failed("main", other.to_string().into()),
    };
    clean_up(process, spec, &reason).await;
    Err(failed)
}

/// Closes what the body had made, within what a stop would have had.
async fn clean_up(process: &Process, spec: &PlanSpec, reason: &Reason) {
    let resources = process.startup.take_resources();
    if resources.is_empty() {
        return;
    }
    let time = time_plan(spec, &process.trigger.current(), process.total);
    // Where no trigger set one, such as after an error of the body.
    process.watchdog.arm(time.last_moment.into_std());
    for trouble in close_newest_first(resources, time.deadline, reason).await {
        process.note_trouble(&trouble);
    }
}

/// Runs the body; a signal cancels it at its next await, after its critical sections, and the deadline bounds both.
async fn start_up<F, B>(
    process: &Process,
    spec: &PlanSpec,
    body: F,
) -> Result<Option<<B::Output as MainOutput>::Plan>, StartError>
where
    F: FnOnce(Startup) -> B,
    B: Future<Output: MainOutput>,
{
    let startup = &process.startup;
    let body = AssertUnwindSafe(async { startup.scope(body(startup.clone())).await }).catch_unwind();
    let body = std::pin::pin!(body);
    let interrupted = async {
        let (reason, _) = process.trigger.fired().await;
        let time = time_plan(spec, &process.trigger.current(), process.total);
        tell!(info, %reason, "stopping during start-up");
        // What was made keeps a share: a critical section that never ends would leave its closes none.
        let left = time.deadline.saturating_duration_since(tokio::time::Instant::now());
        let closes = startup.close_budget().min(left / 2);
        let until = time.deadline.checked_sub(closes).unwrap_or(time.deadline);
        let _ = timeout_at(until, startup.not_critical()).await;
        reason
    };
    match select(body, std::pin::pin!(interrupted)).await {
        Either::Left((Ok(output), _)) => output.into_plan().map_err(StartError::Body),
        Either::Left((Err(panic), _)) => Err(StartError::BodyPanicked(panic_text(panic))),
        Either::Right((reason, _)) => Err(StartError::Interrupted(reason)),
    }
}
