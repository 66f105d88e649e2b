//! A plan around what stands in no plan of its own: a part, or a task with the resources that it uses.

use crate::graph::{Conduct, FieldSpec, Follows, Node, Place, PlanSpec, longest_path_from};
use crate::item::Phase;
use crate::phase::{PhaseBuilder, Phases};
use crate::plan::Plan;

/// More than any test needs, so that only the members' own budgets bound its stop: a day, in milliseconds.
const BUDGET: u64 = 24 * 3_600 * 1_000;

/// A plan of two phases: what is tested, then the resources that it uses. [`alone`] makes one.
#[derive(Debug)]
#[must_use = "a plan does nothing until it is started"]
pub struct Alone<M, R = Nothing> {
    member: M,
    resources: R,
}

/// No resources.
#[derive(Debug)]
pub struct Nothing(());

impl Phase for Nothing {
    const NODE: Node = Node::Empty;

    fn enlist(self, _: &mut PhaseBuilder) {}
}

/// A plan around a part, a task or whatever else may stand in a plan's field, so that it can be tested by itself.
///
/// Its budget is a day: the members' own budgets bound the stop.
///
/// # Examples
///
/// A task with the resource that it uses:
///
/// ```
/// use shutdown_runtime::testing::{self, ReportAssertions as _};
/// use shutdown_runtime::{Resource, Shutdown, background_task, resource};
///
/// #[resource(close = async |_: &Db| ())]
/// struct Db;
///
/// #[background_task]
/// async fn relay(_db: &Db, shutdown: Shutdown) {
///     shutdown.requested().await;
/// }
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)]
/// # async fn main() {
/// let db = Resource::new(Db);
/// let running = testing::start(testing::alone(relay(&db)).with(db)).unwrap();
/// running.handle().request_now("the test");
/// running.stopped().await.assert_clean().assert_before("relay", "Db");
/// # }
/// ```
pub const fn alone<M: Phase>(member: M) -> Alone<M> {
    Alone { member, resources: Nothing(()) }
}

impl<M: Phase> Alone<M> {
    /// Adds what it uses: a `Resource<T>`, or a tuple of such that do not use each other. They close after it.
    pub fn with<R: Phase>(self, resources: R) -> Alone<M, R> {
        Alone { member: self.member, resources }
    }
}

impl<M: Phase, R: Phase> Alone<M, R> {
    const FIELDS: &'static [FieldSpec] = &[
        FieldSpec {
            name: "tested",
            node: M::NODE,
            budget: None,
            after: &[],
            follows: Follows::Above,
            declared: false,
            rank: 1,
        },
        FieldSpec {
            name: "resources",
            node: R::NODE,
            budget: None,
            after: &[0],
            follows: Follows::Above,
            declared: false,
            rank: 2,
        },
    ];
}

impl<M, R> Plan for Alone<M, R>
where
    M: Phase + Send + 'static,
    R: Phase + Send + 'static,
{
    const SPEC: &'static PlanSpec = &PlanSpec {
        name: "Alone",
        part: false,
        fields: Self::FIELDS,
        order: &[0, 1],
        path: &longest_path_from::<2>(Self::FIELDS, &[0, 1]),
        cycle: &[],
        budget: BUDGET,
        pre_stop: 0,
        lame_duck: 0,
        margin: PlanSpec::MARGIN,
        conduct: Conduct::DEFAULT,
        place: Place { file: file!(), line: line!() },
    };

    fn phases(self, phases: &mut Phases) {
        phases.field(0, self.member);
        phases.field(1, self.resources);
    }
}
