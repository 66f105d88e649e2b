//! Signals at random moments of a life: each of them has one defined end.
//!
//! `SIGNAL_RUNS` says how many runs each kind of moment gets (12), `SIGNAL_SEED` draws others. Each run is made twice: as a
//! process like any other, and as the first of its namespace.

use std::time::Duration;

use fastrand::Rng;

use crate::namespace;
use crate::subject::{End, Subject};

/// What the random moments are drawn from.
fn runs(kind: u64) -> (u64, Rng) {
    let number = |name, otherwise| std::env::var(name).map_or(otherwise, |text| text.parse().unwrap());
    (number("SIGNAL_RUNS", 12), Rng::with_seed(number("SIGNAL_SEED", 0) * 16 + kind))
}

/// The ways to start a subject.
fn starts() -> impl Iterator<Item = fn(&str) -> Subject> {
    let plain: fn(&str) -> Subject = Subject::start;
    [plain].into_iter().chain(namespace::is_permitted().then_some(namespace::start as _))
}

fn either(rng: &mut Rng) -> &'static str {
    if rng.bool() { "-TERM" } else { "-INT" }
}

fn pause(rng: &mut Rng, below: u64) {
    std::thread::sleep(Duration::from_micros(rng.u64(..below * 1_000)));
}

#[track_caller]
fn assert_ended(end: &End, code: i32) {
    assert_eq!(end.code(), Some(code), "{:?} {:?}\n{}", end.status, end.lines, end.log);
}

#[test]
fn right_after_the_process_began() {
    let (runs, mut rng) = runs(0);
    for _ in 0..runs {
        let mut subject = Subject::start("");
        pause(&mut rng, 50);
        let end = subject.signal_if_there(either(&mut rng)).end();
        // Until `main` has begun the signal does what it does by default: nothing of ours has run yet.
        if !(end.killed_by().is_some() && end.lines.is_empty() && end.log.is_empty()) {
            assert_ended(&end, 0);
        }
    }
}

#[test]
fn right_after_the_process_began_as_the_first_of_its_namespace() {
    if !namespace::is_permitted() {
        return;
    }
    let (runs, mut rng) = runs(1);
    for _ in 0..runs {
        let mut subject = namespace::start("");
        pause(&mut rng, 50);
        subject.signal_if_there(either(&mut rng));
        // The kernel discards what comes before a handler is there; a later signal finds one.
        for _ in 0..40 {
            if !subject.pause(200).is_running() {
                break;
            }
            subject.signal_if_there("-TERM");
        }
        assert_ended(&subject.end(), 0);
    }
}

#[test]
fn during_start_up() {
    let (runs, mut rng) = runs(2);
    for start in (0..runs).flat_map(|_| starts()) {
        let mut subject = start("start-hangs");
        subject.wait_for("starting");
        pause(&mut rng, 20);
        let end = subject.signal(either(&mut rng)).end();
        assert_ended(&end, 0);
        assert_eq!(end.lines, ["starting", "Db closed", "guard dropped"]);
    }
}

#[test]
fn in_the_window() {
    let (runs, mut rng) = runs(3);
    for start in (0..runs).flat_map(|_| starts()) {
        // It fails 50 ms after its start, which nobody announced: a window of a second follows.
        let mut subject = start("fails");
        subject.wait_for("started").pause(70);
        pause(&mut rng, 700);
        let end = subject.signal(either(&mut rng)).end();
        assert_ended(&end, 1);
        assert!(end.after < Duration::from_millis(300), "a signal ends the window\n{:?}", end.after);
        assert!(end.said("Db closed") && end.log.contains("`fails` failed"), "{}", end.log);
    }
}

#[test]
fn in_a_phase() {
    let (runs, mut rng) = runs(4);
    for start in (0..runs).flat_map(|_| starts()) {
        let mut subject = start("slow");
        // One task says so while the others are still being started.
        subject.wait_for("started").pause(50).signal(either(&mut rng));
        pause(&mut rng, 300);
        // Within half a second even a SIGINT is the same keypress; a SIGTERM never insists.
        let second = either(&mut rng);
        subject.signal(second);
        pause(&mut rng, 900);
        let end = subject.signal("-TERM").end();
        assert_ended(&end, 0);
        assert!(end.said("slow done") && end.said("Db closed"), "{:?}", end.lines);
        assert!(end.log.contains("a repeated signal"), "{}", end.log);
    }
}

#[test]
fn after_the_report() {
    let (runs, mut rng) = runs(5);
    for start in (0..runs).flat_map(|_| starts()) {
        // What stays behind holds the runtime up for its hundred milliseconds.
        let mut subject = start("outside");
        subject.wait_for("started").signal("-TERM").wait_for("guard dropped");
        pause(&mut rng, 120);
        let end = subject.signal_if_there(either(&mut rng)).end();
        assert_ended(&end, 0);
        assert!(end.after < Duration::from_millis(400), "{:?}", end.after);
    }
}
