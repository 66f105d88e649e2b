//! Starts a plan's members bottom to top, and stops them by the very tables that the compiler checked.

mod account;
mod aside;
mod barrier;
mod close;
mod conduct;
mod launch;
mod start;
mod tree;
mod walk;

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt as _;
use tokio::task::JoinHandle;

pub(crate) use aside::Aside;
pub(crate) use close::close_newest_first;
#[cfg(feature = "test-util")]
pub(crate) use launch::error_text;

use crate::board::Board;
use crate::error::StartError;
use crate::member::PlanState;
use crate::metering;
use crate::phase::Phases;
use crate::plan::Plan;
use crate::readiness::Readiness;
use crate::report::Report;
use crate::resource::AnyResource;
use crate::trigger::{ShutdownHandle, Trigger};
use crate::watchdog::Watchdog;

/// How a plan is to be run; the default is for tests and embedding.
#[derive(Debug, Default)]
pub(crate) struct Options {
    /// A trigger that exists already, since signals may come before the plan does.
    pub(crate) trigger: Option<Arc<Trigger>>,
    /// A total that is lower than the plan's budget.
    pub(crate) total: Option<Duration>,
    /// Where closes and hooks run.
    pub(crate) aside: Aside,
    /// Who ends the process when all else fails.
    pub(crate) watchdog: Option<Watchdog>,
    /// The resources that `main` made: each must stand in the plan.
    pub(crate) remembered: Vec<Arc<dyn AnyResource>>,
}

/// A plan that runs. Dropping it lets it run on.
#[derive(Debug)]
pub struct Running {
    handle: ShutdownHandle,
    readiness: Readiness,
    conductor: JoinHandle<Report>,
    board: Arc<Board>,
}

impl Running {
    /// A handle that can ask the plan to stop.
    pub fn handle(&self) -> ShutdownHandle {
        self.handle.clone()
    }

    /// The plan's readiness.
    pub fn readiness(&self) -> Readiness {
        self.readiness.clone()
    }

    /// What is known of its stop at any moment.
    #[cfg(feature = "test-util")]
    pub(crate) fn board(&self) -> Arc<Board> {
        Arc::clone(&self.board)
    }

    /// Waits until the plan has stopped.
    pub async fn stopped(self) -> Report {
        // The conductor ends early only with its runtime; what the board knows is then the report.
        self.conductor.await.unwrap_or_else(|_| self.board.report())
    }
}

/// A plan that was not started, with the resources in it that are now to be closed, the last to stop first.
#[derive(Debug)]
pub(crate) struct Refused {
    pub(crate) error: StartError,
    pub(crate) resources: Vec<Arc<dyn AnyResource>>,
}

/// Starts a plan: accounts for every lease, starts the tasks bottom to top, turns readiness on once all have started.
pub(crate) fn start<P: Plan>(plan: P, options: Options) -> Result<Running, Refused> {
    let mut phases = Phases::new(P::SPEC);
    plan.phases(&mut phases);
    let runtime = tokio::runtime::Handle::try_current()
        .map_err(|error| StartError::Runtime(std::io::Error::other(error)));
    let accounted = runtime.and_then(|runtime| {
        account::check(&phases, &options.remembered)?;
        Ok(runtime)
    });
    let runtime = match accounted {
        Ok(runtime) => runtime,
        Err(error) => return Err(Refused { error, resources: phases.into_resources() }),
    };
    let trigger = options.trigger.unwrap_or_else(Trigger::new);
    let state = Arc::new(PlanState::new(P::SPEC.name, &trigger, &runtime));
    let board = Arc::new(Board::new(P::SPEC.name));
    if let Some(watchdog) = &options.watchdog {
        watchdog.watch(&board);
    }
    metering::describe();
    let mut starting = start::start(tree::build(phases, &state, &board), Arc::clone(&state)).boxed();
    // Most plans have started by then: only one whose tasks say themselves when they are ready is waited for.
    let tree = match (&mut starting).now_or_never() {
        Some(tree) => {
            state.readiness.turn_on_unless(trigger.has_fired());
            std::future::ready(tree).boxed()
        }
        None => conduct::become_ready(starting, Arc::clone(&state)).boxed(),
    };
    let conductor = conduct::Conductor {
        spec: P::SPEC,
        state: Arc::clone(&state),
        board: Arc::clone(&board),
        total: options.total,
        aside: options.aside,
        _watchdog: options.watchdog,
    };
    Ok(Running {
        handle: ShutdownHandle::new(&trigger),
        readiness: state.readiness.clone(),
        conductor: runtime.spawn(conductor.run(tree)),
        board,
    })
}
