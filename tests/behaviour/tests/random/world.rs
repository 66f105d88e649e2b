//! What one run's members share, and what each of them was told to do wrong.

use std::any::Any;
use std::future::pending;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use shutdown_runtime::Shutdown;

/// What a task does; times in milliseconds, `*At` from the start of the run, else from being told to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    Obeys(u64),
    Hangs,
    NeverLooks,
    PanicsInDrain(u64),
    FailsInDrain(u64),
    PanicsAt(u64),
    FailsAt(u64),
    ReturnsAt(u64),
    ForgetsItsLease,
    ParksItsLease,
    DetachesItsLease(u64),
    SpawnsLate(u64),
    SpawnsWithoutEnd,
    ChildHangs,
    ChildPanics,
    ChildPanicsInDrop,
    CriticalBehindADroppedCaller(u64),
    PanicsInDrop,
    PanicsInDropAtItsEnd,
}

/// What a close or a hook does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Takes(u64),
    Hangs,
    Panics(u64),
    Fails(u64),
    PanicsInDrop,
    ForgetsItsLease,
}

/// What the members of one run share.
#[derive(Debug, Default)]
pub(crate) struct World {
    living: AtomicUsize,
    parked: Mutex<Vec<Box<dyn Any + Send>>>,
    broken: Mutex<Vec<String>>,
}

impl World {
    pub(crate) fn enter(self: &Arc<Self>) -> Alive {
        self.living.fetch_add(1, Ordering::SeqCst);
        Alive(Arc::clone(self))
    }

    /// How many tasks and children of the plan have not been dropped.
    pub(crate) fn living(&self) -> usize {
        self.living.load(Ordering::SeqCst)
    }

    pub(crate) fn park(&self, lease: impl Any + Send) {
        self.parked.lock().unwrap().push(Box::new(lease));
    }

    /// As a static would, it keeps what was parked to the end of the process.
    pub(crate) fn forget_parked(&self) {
        std::mem::forget(std::mem::take(&mut *self.parked.lock().unwrap()));
    }

    pub(crate) fn complain(&self, what: String) {
        self.broken.lock().unwrap().push(what);
    }

    pub(crate) fn complaints(&self) -> Vec<String> {
        self.broken.lock().unwrap().clone()
    }
}

/// Counted for as long as it lives.
#[derive(Debug)]
pub(crate) struct Alive(Arc<World>);

impl Drop for Alive {
    fn drop(&mut self) {
        self.0.living.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Panics where it is dropped.
struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        panic!("injected: in a destructor");
    }
}

/// What is closed: how that goes, and whether it has begun.
#[derive(Debug)]
pub(crate) struct Stage {
    name: &'static str,
    step: Step,
    closed: AtomicBool,
    world: Arc<World>,
}

impl Stage {
    pub(crate) fn new(name: &'static str, step: Step, world: &Arc<World>) -> Self {
        Self { name, step, closed: AtomicBool::new(false), world: Arc::clone(world) }
    }

    /// A use by a member whose time is not over: the plan promises that it comes before the close.
    pub(crate) fn touch(&self) {
        if self.closed.load(Ordering::SeqCst) {
            self.world.complain(format!("{} was used after its close", self.name));
        }
    }

    pub(crate) async fn close(&self) -> Result<(), String> {
        if self.closed.swap(true, Ordering::SeqCst) {
            self.world.complain(format!("{} was closed twice", self.name));
        }
        step(self.step).await
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        assert!(self.step != Step::PanicsInDrop, "injected: in the destructor of {}", self.name);
    }
}

pub(crate) async fn step(step: Step) -> Result<(), String> {
    match step {
        Step::Takes(time) => wait(time).await,
        Step::Hangs => pending().await,
        Step::Panics(time) => {
            wait(time).await;
            panic!("injected: a step");
        }
        Step::Fails(time) => {
            wait(time).await;
            return Err("injected: a step".to_owned());
        }
        Step::PanicsInDrop | Step::ForgetsItsLease => {}
    }
    Ok(())
}

pub(crate) async fn wait(millis: u64) {
    tokio::time::sleep(Duration::from_millis(millis)).await;
}

/// Plays a task's part. `lease` is an owned lease, or `()` where the task only borrows; `touch` uses the resource.
pub(crate) async fn play<L: Clone + Send + 'static>(
    act: Act,
    world: Arc<World>,
    shutdown: Shutdown,
    lease: L,
    touch: impl Fn(),
) -> Result<(), String> {
    let _alive = world.enter();
    let bomb = matches!(act, Act::PanicsInDrop | Act::PanicsInDropAtItsEnd).then(|| Bomb);
    match act {
        Act::NeverLooks => pending().await,
        Act::PanicsAt(time) => {
            wait(time).await;
            panic!("injected: by itself");
        }
        Act::FailsAt(time) => {
            wait(time).await;
            return Err("injected: by itself".to_owned());
        }
        Act::ReturnsAt(time) => {
            wait(time).await;
            return Ok(());
        }
        _ => {}
    }
    shutdown.requested().await;
    touch();
    match act {
        Act::Obeys(time) => wait(time).await,
        Act::Hangs | Act::PanicsInDrop => pending().await,
        Act::PanicsInDrain(time) => {
            wait(time).await;
            panic!("injected: in the drain");
        }
        Act::FailsInDrain(time) => {
            wait(time).await;
            return Err("injected: in the drain".to_owned());
        }
        Act::ForgetsItsLease => std::mem::forget(lease.clone()),
        Act::ParksItsLease => world.park(lease.clone()),
        Act::DetachesItsLease(time) => {
            let lease = lease.clone();
            tokio::spawn(async move {
                wait(time).await;
                drop(lease);
            });
        }
        _ => children(act, &world, &shutdown).await,
    }
    touch();
    drop(bomb);
    Ok(())
}

async fn children(act: Act, world: &Arc<World>, shutdown: &Shutdown) {
    match act {
        Act::SpawnsLate(_) | Act::SpawnsWithoutEnd => {
            let rounds = if let Act::SpawnsLate(rounds) = act { rounds } else { u64::MAX };
            let (world, shutdown) = (Arc::clone(world), shutdown.clone());
            // Not a child itself: it goes on spawning when the task has returned.
            let mut first = spawn_short(&world, &shutdown);
            tokio::spawn(async move {
                for _ in 0..rounds {
                    wait(1).await;
                    if !std::mem::replace(&mut first, spawn_short(&world, &shutdown)) {
                        break;
                    }
                }
            });
        }
        Act::ChildHangs => {
            let alive = world.enter();
            let _child = shutdown.spawn(async move {
                let _alive = alive;
                pending::<()>().await;
            });
        }
        Act::ChildPanics => {
            let _child = shutdown.spawn(async { panic!("injected: a child") });
        }
        Act::ChildPanicsInDrop => {
            let alive = world.enter();
            let _child = shutdown.spawn(async move {
                let _alive = alive;
                let _bomb = Bomb;
                pending::<()>().await;
            });
        }
        Act::CriticalBehindADroppedCaller(time) => {
            let (alive, world) = (world.enter(), Arc::clone(world));
            let critical = shutdown.critical(async move {
                wait(time).await;
                drop((alive, world));
            });
            let _given_up = tokio::time::timeout(Duration::from_millis(1), critical).await;
        }
        _ => {}
    }
}

/// Whether it was admitted.
fn spawn_short(world: &Arc<World>, shutdown: &Shutdown) -> bool {
    let alive = world.enter();
    let child = async move {
        wait(3).await;
        drop(alive);
    };
    shutdown.spawn(child).is_ok()
}
