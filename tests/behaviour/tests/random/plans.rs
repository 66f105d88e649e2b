//! Random stops: a plan's shape, its members, what each does wrong, and when the stop comes, all from one seed.

use std::sync::Arc;
use std::time::Duration;

use fastrand::Rng;
use shutdown_runtime::{Resource, Running, shutdown_plan, testing};

use crate::cast::{Cache, Cast, Store, dropped, leave, quick, reader, ticks, worker};
use crate::world::{Act, Stage, Step, World};

/// A sequence.
#[shutdown_plan(budget = "20s", pre_stop = "1s", lame_duck = "1s")]
struct Sequence {
    ingress: (Vec<quick>, Vec<dropped>),
    workers: (Vec<worker>, Vec<ticks>),
    readers: Vec<reader>,
    leave: Option<leave>,
    cache: Resource<Cache>,
    store: Resource<Store>,
}

/// Phases that stop at the same time.
#[shutdown_plan(budget = "20s", pre_stop = "1s", lame_duck = "1s")]
struct Branches {
    ingress: (Vec<quick>, Vec<dropped>),
    #[shutdown_order(after = [])]
    workers: (Vec<worker>, Vec<ticks>),
    #[shutdown_order(after = [ingress])]
    readers: Vec<reader>,
    #[shutdown_order(after = [workers])]
    leave: Option<leave>,
    #[shutdown_order(after = [readers])]
    cache: Resource<Cache>,
    store: Resource<Store>,
}

/// What is in front.
#[shutdown_plan(part)]
struct Front {
    ingress: (Vec<quick>, Vec<dropped>),
    readers: Vec<reader>,
}

/// A part beside a phase of its parent's.
#[shutdown_plan(budget = "20s", pre_stop = "1s", lame_duck = "1s")]
struct Nested {
    front: Front,
    #[shutdown_order(after = [])]
    workers: (Vec<worker>, Vec<ticks>),
    leave: Option<leave>,
    cache: Resource<Cache>,
    store: Resource<Store>,
}

/// Where the members stand, and which phases wait for which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    Sequence,
    Branches,
    Nested,
}

impl Shape {
    /// The phases that must be over before the second of a pair begins.
    pub(crate) fn orders(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Sequence => &[
                ("ingress", "workers"),
                ("workers", "readers"),
                ("readers", "leave"),
                ("leave", "cache"),
                ("cache", "store"),
            ],
            Self::Branches => &[
                ("ingress", "readers"),
                ("workers", "leave"),
                ("readers", "cache"),
                ("cache", "store"),
                ("leave", "store"),
            ],
            Self::Nested => &[
                ("front/ingress", "front/readers"),
                ("front/readers", "leave"),
                ("workers", "leave"),
                ("leave", "cache"),
                ("cache", "store"),
            ],
        }
    }

    pub(crate) fn phase(self, group: &str) -> String {
        match (self, group) {
            (Self::Nested, "ingress" | "readers") => format!("front/{group}"),
            _ => group.to_owned(),
        }
    }
}

/// What a member was given to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Task(Act),
    Dropped(Act),
    Ticks(u64),
    Hook(Step),
    Cache(Step),
    Store(Step),
}

/// One member as it was made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Role {
    pub(crate) group: &'static str,
    pub(crate) name: &'static str,
    pub(crate) part: Part,
}

/// How a run is stopped.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scenario {
    pub(crate) shape: Shape,
    /// When somebody asks for the stop, if nothing went wrong before.
    pub(crate) asked: Duration,
    pub(crate) now: bool,
    /// What the platform grants; `None`: the plan's budget.
    pub(crate) total: Option<Duration>,
}

/// Draws a run from its seed.
pub(crate) struct Draw {
    rng: Rng,
    world: Arc<World>,
    pub(crate) roles: Vec<Role>,
    /// The moments at which members end by themselves; none occurs twice.
    moments: u64,
}

impl Draw {
    pub(crate) fn new(seed: u64, world: &Arc<World>) -> Self {
        Self { rng: Rng::with_seed(seed), world: Arc::clone(world), roles: Vec::new(), moments: 0 }
    }

    pub(crate) fn scenario(&mut self) -> Scenario {
        let shape = [Shape::Sequence, Shape::Branches, Shape::Nested][self.rng.usize(..3)];
        let total = (self.rng.u8(..4) == 0).then(|| Duration::from_millis(self.rng.u64(100..18_000)));
        let asked = Duration::from_millis(self.rng.u64(0..4_000) * 2 + 1);
        Scenario { shape, asked, now: self.rng.bool(), total }
    }

    /// No two members end at one moment, and none at an odd one, when a stop may be asked for.
    fn moment(&mut self) -> u64 {
        self.moments += 1;
        self.rng.u64(1..600) * 40 + self.moments * 2
    }

    fn span(&mut self) -> u64 {
        self.rng.u64(0..5_000)
    }

    /// `owns`: it has a lease of its own, which it may keep.
    fn act(&mut self, owns: bool) -> Act {
        let time = self.span();
        let acts = if owns { 20 } else { 17 };
        match self.rng.u8(..acts) {
            0..=2 => Act::Obeys(time / 4),
            3 => Act::Obeys(time),
            4 => Act::Hangs,
            5 => Act::NeverLooks,
            6 => Act::PanicsInDrain(time),
            7 => Act::FailsInDrain(time),
            8 => self.by_itself(),
            9 => Act::SpawnsLate(time / 20),
            10 => Act::SpawnsWithoutEnd,
            11 => Act::ChildHangs,
            12 => Act::ChildPanics,
            13 => Act::ChildPanicsInDrop,
            14 => Act::CriticalBehindADroppedCaller(time),
            15 => Act::PanicsInDrop,
            16 => Act::PanicsInDropAtItsEnd,
            17 => Act::ForgetsItsLease,
            18 => Act::ParksItsLease,
            _ => Act::DetachesItsLease(time),
        }
    }

    fn by_itself(&mut self) -> Act {
        let moment = self.moment();
        [Act::PanicsAt(moment), Act::FailsAt(moment), Act::ReturnsAt(moment)][self.rng.usize(..3)]
    }

    fn step(&mut self, last: Step) -> Step {
        let time = self.span();
        match self.rng.u8(..9) {
            0..=2 => Step::Takes(time / 8),
            3 => Step::Takes(time),
            4 => Step::Hangs,
            5 => Step::Panics(time),
            6 => Step::Fails(time),
            _ => last,
        }
    }

    fn role(&mut self, group: &'static str, name: &'static str, part: Part) {
        self.roles.push(Role { group, name, part });
    }

    fn cast(&mut self) -> Cast {
        let world = Arc::clone(&self.world);
        let how = self.step(Step::PanicsInDrop);
        let store = Resource::new(Store(Stage::new("the store", how, &world)));
        let of_store = Part::Store(how);
        // Never both: a lease that comes back late would drop one within the other, and of two panics at once rustc makes
        // an abort.
        let how = self.step(if how == Step::PanicsInDrop { Step::Hangs } else { Step::PanicsInDrop });
        let stage = Stage::new("the cache", how, &world);
        let cache = Resource::new(Cache { stage, store: store.lease() });
        let of_cache = Part::Cache(how);
        let (mut front, mut behind) = ((Vec::new(), Vec::new()), (Vec::new(), Vec::new()));
        for _ in 0..self.rng.usize(..3) {
            let act = self.act(false);
            self.role("ingress", "quick", Part::Task(act));
            front.0.push(quick(act, &store, Arc::clone(&world)));
        }
        for _ in 0..self.rng.usize(..2) {
            let act = if self.rng.bool() { Act::PanicsInDrop } else { Act::NeverLooks };
            let act = if self.rng.u8(..8) == 0 { self.by_itself() } else { act };
            self.role("ingress", "dropped", Part::Dropped(act));
            front.1.push(dropped(act, Arc::clone(&world)));
        }
        for _ in 0..self.rng.usize(..4) {
            let act = self.act(true);
            self.role("workers", "worker", Part::Task(act));
            behind.0.push(worker(act, store.lease(), Arc::clone(&world)));
        }
        for _ in 0..self.rng.usize(..2) {
            let takes = self.span() / 2;
            self.role("workers", "ticks", Part::Ticks(takes));
            behind.1.push(ticks(takes, &store, Arc::clone(&world)));
        }
        let mut readers = Vec::new();
        for _ in 0..self.rng.usize(..3) {
            let act = self.act(true);
            self.role("readers", "reader", Part::Task(act));
            readers.push(reader(act, cache.lease(), Arc::clone(&world)));
        }
        let leave = self.rng.bool().then(|| {
            let how = self.step(Step::ForgetsItsLease);
            self.role("leave", "leave", Part::Hook(how));
            leave(how, store.lease(), Arc::clone(&world))
        });
        self.role("cache", "Cache", of_cache);
        self.role("store", "Store", of_store);
        Cast { ingress: front, workers: behind, readers, leave, cache, store }
    }

    /// Makes the members and starts them.
    pub(crate) fn start(&mut self, scenario: &Scenario) -> Running {
        let Cast { ingress, workers, readers, leave, cache, store } = self.cast();
        let total = scenario.total.unwrap_or(Duration::MAX);
        let started = match scenario.shape {
            Shape::Sequence => {
                testing::start_within(Sequence { ingress, workers, readers, leave, cache, store }, total)
            }
            Shape::Branches => {
                testing::start_within(Branches { ingress, workers, readers, leave, cache, store }, total)
            }
            Shape::Nested => {
                let front = Front { ingress, readers };
                testing::start_within(Nested { front, workers, leave, cache, store }, total)
            }
        };
        started.unwrap()
    }
}
