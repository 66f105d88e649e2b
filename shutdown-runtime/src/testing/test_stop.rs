//! What a task's function as written takes, without a plan: leases, and a `Shutdown` that the test stops.

use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::time::Instant;

use crate::deadline::later;
use crate::graph::{Behaviour, Identity, Kind, MemberSpec, Place};
use crate::lease::Lease;
use crate::ledger::MemberLedger;
use crate::member::{MemberState, PlanState};
use crate::notice::Notice;
use crate::reason::Reason;
use crate::resource::{Resource, ResourceSpec};
use crate::shutdown::Shutdown;
use crate::trigger::Trigger;

const SPEC: &MemberSpec = &MemberSpec {
    identity: Identity::new(0, module_path!(), line!(), column!()),
    name: "tested",
    kind: Kind::Task,
    budget: None,
    uses: &[],
    orders: &[],
    behaviour: Behaviour::DEFAULT,
    place: Place { file: file!(), line: line!() },
};

/// A lease of a resource that stands in no plan and is never closed: for a `Lease<T>` parameter, and by `&` for a `&T`.
///
/// # Examples
///
/// ```
/// use shutdown_runtime::{background_task, resource, testing};
///
/// #[resource(close = async |_: &Db| ())]
/// struct Db(u32);
///
/// #[background_task(every = "1s")]
/// async fn cleaner(db: &Db) {
///     assert_eq!(db.0, 7);
/// }
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)]
/// # async fn main() {
/// cleaner::body(&testing::lease(Db(7))).await;
/// # }
/// ```
#[track_caller]
pub fn lease<T: ResourceSpec>(value: T) -> Lease<T> {
    Resource::new(value).lease()
}

/// The stop of a task that runs without a plan, for `name::body(..)`: hands out its [`Shutdown`], and stops it.
///
/// # Examples
///
/// ```
/// use std::time::Duration;
/// use shutdown_runtime::{Shutdown, background_task, testing::TestStop};
///
/// #[background_task]
/// async fn poller(shutdown: Shutdown) -> std::io::Result<()> {
///     while shutdown.sleep(Duration::from_secs(1)).await {}
///     Ok(())
/// }
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)]
/// # async fn main() {
/// let stop = TestStop::new();
/// let running = tokio::spawn(poller::body(stop.shutdown()));
/// tokio::time::sleep(Duration::from_secs(5)).await;
/// assert!(!running.is_finished());
/// stop.stop("the test");
/// running.await.unwrap().unwrap();
/// # }
/// ```
#[derive(Debug)]
pub struct TestStop {
    member: Arc<MemberState>,
}

impl TestStop {
    /// A task that nobody has told to stop.
    ///
    /// # Panics
    ///
    /// Outside a tokio runtime, on which the task's children are to run.
    #[allow(clippy::new_without_default, reason = "it needs a runtime")]
    pub fn new() -> Self {
        let (phase, trigger) = (Arc::new(Notice::default()), Trigger::new());
        let plan = Arc::new(PlanState::new("test", &trigger, &Handle::current()));
        Self { member: MemberState::new(SPEC, &phase, &plan, MemberLedger::new(SPEC)) }
    }

    /// What the task takes.
    pub fn shutdown(&self) -> Shutdown {
        Shutdown::new(&self.member)
    }

    /// The plan begins to stop, though not yet this task's phase: [`Shutdown::draining`] resolves.
    pub fn drain(&self, why: impl Into<String>) {
        self.member.plan.trigger.fire(Reason::Requested(why.into().into()));
    }

    /// The task is told to stop, and has the default budget of 10 s, of which [`Shutdown::deadline`] tells.
    pub fn stop(&self, why: impl Into<String>) {
        self.drain(why);
        self.member.limit(later(Instant::now(), Duration::from_millis(SPEC.default_budget())));
        self.member.phase.give();
    }

    /// Waits until the children that the task spawned are over, or `limit` has passed; whether they are. Afterwards no more
    /// are taken.
    pub async fn children_over(&self, limit: Duration) -> bool {
        tokio::time::timeout(limit, self.member.children.all_over()).await.is_ok()
    }
}
