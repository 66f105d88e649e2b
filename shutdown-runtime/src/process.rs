//! The process as a plan has it: its signals, its watchdog, what its platform grants, and the way out.

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::driver::{Aside, Options};
use crate::error::StartError;
use crate::graph::PlanSpec;
use crate::startup::Startup;
use crate::trigger::Trigger;
use crate::watchdog::{self, Watchdog};

/// How long the runtime may take to go down, once the report is out.
const RUNTIME: Duration = Duration::from_millis(100);
/// How long returning from `main` may take after that.
const EXIT: Duration = Duration::from_millis(250);

/// The process as a plan has it: its signals, its watchdog, and the right to be the only plan.
#[derive(Debug)]
pub(crate) struct Process {
    pub(crate) trigger: Arc<Trigger>,
    pub(crate) startup: Startup,
    pub(crate) watchdog: Watchdog,
    pub(crate) total: Option<Duration>,
    /// Whether what a failed start had made was not closed well.
    unclean: AtomicBool,
}

impl Process {
    /// Takes it over.
    pub(crate) fn take(spec: &'static PlanSpec, total: Option<Duration>) -> Result<Self, StartError> {
        let total = lower(total, budget_of_environment()?);
        let trigger = Trigger::new();
        let startup = Startup::new(&trigger);
        let watchdog = Watchdog::install(&trigger, &startup, spec, total)?;
        Ok(Self { trigger, startup, watchdog, total, unclean: AtomicBool::new(false) })
    }

    pub(crate) fn options(&self) -> Options {
        Options {
            trigger: Some(Arc::clone(&self.trigger)),
            total: self.total,
            aside: Aside::Thread,
            watchdog: Some(self.watchdog.clone()),
            remembered: Vec::new(),
        }
    }

    /// What a failed start had made was not closed well.
    pub(crate) fn note_trouble(&self, trouble: &str) {
        self.unclean.store(true, Ordering::Release);
        watchdog::write_report(trouble, None);
    }

    pub(crate) fn is_unclean(&self) -> bool {
        self.unclean.load(Ordering::Acquire)
    }

    /// The report is out: nothing that the runtime or a guard still holds can delay the exit.
    pub(crate) fn leave(self, runtime: tokio::runtime::Runtime, code: u8) -> ExitCode {
        watchdog::drop_guards(self.startup.take_kept());
        watchdog::within(RUNTIME + RUNTIME / 2, move || runtime.shutdown_timeout(RUNTIME));
        self.watchdog.exit_with(code, EXIT);
        // The thread must outlive this function to see that the exit happens.
        std::mem::forget(self);
        ExitCode::from(code)
    }
}

fn lower(one: Option<Duration>, other: Option<Duration>) -> Option<Duration> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

/// What the platform grants, where it is less than the plan's budget.
fn budget_of_environment() -> Result<Option<Duration>, StartError> {
    let Some(text) = std::env::var_os("SHUTDOWN_BUDGET") else { return Ok(None) };
    let text = text.to_string_lossy();
    match crate::duration::parse(&text) {
        Some(total) if !total.is_zero() => Ok(Some(total)),
        _ => Err(StartError::BadBudget(text.into_owned())),
    }
}
