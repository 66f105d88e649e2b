//! The gate that children and leases pass through, in every interleaving that loom finds.
//!
//! The file that the runtime is built of is compiled here with loom's atomics. tokio's `Notify` is opaque to loom, so a
//! plain one with the same promises stands in for it. Each model has a twin that runs it with all orderings weakened to
//! `Relaxed`, and has to fail.

use std::future::Future;

use loom::cell::UnsafeCell;
use loom::future::block_on;
use loom::sync::Arc;
use loom::thread;

use crate::gate::Gate;

#[path = "../../../../shutdown-runtime/src/gate.rs"]
mod gate;
mod notify;
mod sync;

/// Work done inside, that loom sees: a read and a write of it that are not ordered fail the model.
struct Work(UnsafeCell<()>);

impl Work {
    fn new() -> Self {
        Self(UnsafeCell::new(()))
    }

    fn write(&self) {
        self.0.with_mut(|_| ());
    }

    fn read(&self) {
        self.0.with(|_| ());
    }
}

fn check(model: impl Fn() + Sync + Send + 'static) {
    sync::weaken(false);
    explore(model);
}

/// Runs the model without any ordering; whoever calls this expects a panic.
fn check_weakened(model: impl Fn() + Sync + Send + 'static) {
    sync::weaken(true);
    explore(model);
}

/// In a bounded time: on a slow machine the largest model is not explored to its end.
fn explore(model: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.max_duration = Some(std::time::Duration::from_secs(20));
    builder.check(model);
}

fn shared() -> Arc<(Gate, Work)> {
    Arc::new((Gate::default(), Work::new()))
}

fn run<T>(future: impl Future<Output = T>) -> T {
    block_on(future)
}

/// A child that is spawned while its member is about to be over is awaited, or refused; never neither.
fn late_child() {
    let shared = shared();
    let child = {
        let shared = Arc::clone(&shared);
        thread::spawn(move || {
            let (gate, work) = &*shared;
            let entered = gate.try_enter();
            if entered {
                work.write();
                gate.leave();
            }
            entered
        })
    };
    let (gate, work) = &*shared;
    run(gate.close());
    work.read();
    assert!(!gate.try_enter(), "closed is closed");
    let _ = child.join().expect("it does not panic");
}

#[test]
fn a_late_child_is_awaited_or_refused() {
    check(late_child);
}

#[test]
#[should_panic(expected = "Causality violation")]
fn weakened_a_late_child_is_not_awaited() {
    check_weakened(late_child);
}

/// Two children that are already inside: whoever waits is woken by the last one, and sees what both did.
fn two_inside() {
    let shared = Arc::new((Gate::default(), Work::new(), Work::new()));
    assert!(shared.0.try_enter() && shared.0.try_enter());
    let first = {
        let shared = Arc::clone(&shared);
        thread::spawn(move || {
            shared.1.write();
            shared.0.leave();
        })
    };
    let second = {
        let shared = Arc::clone(&shared);
        thread::spawn(move || {
            shared.2.write();
            shared.0.leave();
        })
    };
    run(shared.0.close());
    shared.1.read();
    shared.2.read();
    assert!(shared.0.is_empty());
    first.join().expect("it does not panic");
    second.join().expect("it does not panic");
}

#[test]
fn the_last_child_wakes_whoever_waits() {
    check(two_inside);
}

#[test]
#[should_panic(expected = "Causality violation")]
fn weakened_the_last_child_leaves_unseen() {
    check_weakened(two_inside);
}

/// A lease that is handed on: the next one is issued while the first is held, so the close may not begin between.
fn handed_on() {
    let shared = shared();
    shared.0.enter();
    let holder = {
        let shared = Arc::clone(&shared);
        thread::spawn(move || {
            shared.0.enter();
            shared.0.leave();
            shared.1.write();
            shared.0.leave();
        })
    };
    run(shared.0.emptied());
    shared.1.read();
    holder.join().expect("it does not panic");
}

#[test]
fn a_lease_that_is_handed_on_is_waited_for() {
    check(handed_on);
}

#[test]
#[should_panic(expected = "Causality violation")]
fn weakened_a_lease_is_closed_under_its_holder() {
    check_weakened(handed_on);
}

/// A member that is cut while a child comes in: it is refused, or still waited for.
fn cut() {
    let shared = shared();
    let child = {
        let shared = Arc::clone(&shared);
        thread::spawn(move || {
            let (gate, work) = &*shared;
            if gate.try_enter() {
                work.write();
                gate.leave();
            }
        })
    };
    let (gate, work) = &*shared;
    gate.close_at_once();
    assert!(!gate.try_enter(), "closed is closed");
    run(gate.close());
    work.read();
    child.join().expect("it does not panic");
}

#[test]
fn a_cut_member_still_waits_for_who_came_in() {
    check(cut);
}

#[test]
#[should_panic(expected = "Causality violation")]
fn weakened_a_cut_member_waits_for_nobody() {
    check_weakened(cut);
}
