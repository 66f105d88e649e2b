//! Members that overrun, block and wedge: bounded, named, and the rest still runs.

use std::process::Command;
use std::time::Duration;

use crate::subject::Subject;

#[test]
fn an_overrun_is_named_and_later_phases_run() {
    let end = Subject::start("stuck").wait_for("started").signal("-TERM").end();
    assert_eq!(end.code(), Some(1), "{}", end.log);
    assert!(end.log.contains("NOT clean") && end.log.contains("TimedOut"), "{}", end.log);
    assert!(end.said("left") && end.said("Db closed"), "{:?}", end.lines);
    assert!(end.after < Duration::from_millis(1_800), "{:?}", end.after);
}

#[test]
fn a_blocking_close_is_abandoned() {
    let end = Subject::start("blocking-close").wait_for("started").signal("-TERM").end();
    assert_eq!(end.code(), Some(1), "{}", end.log);
    assert!(end.log.contains("Abandoned"), "{}", end.log);
    assert!(end.said("Db closed") && end.said("guard dropped"), "{:?}", end.lines);
    assert!(end.after < Duration::from_millis(2_200), "{:?}", end.after);
}

#[test]
fn the_watchdog_ends_a_wedged_process() {
    // 4 s in all, margin 2: D after 2 s, the watchdog's moment after 3.
    let mut subject = Subject::run(
        Command::new(env!("CARGO_BIN_EXE_subject")).env("SUBJECT", "wedged").env("SHUTDOWN_BUDGET", "4s"),
    );
    let end = subject.pause(500).signal("-TERM").end();
    assert_eq!(end.code(), Some(70), "{}", end.log);
    assert!(end.log.contains("the watchdog ends the process"), "{}", end.log);
    assert!(
        end.after > Duration::from_millis(2_800) && end.after < Duration::from_millis(4_500),
        "{:?}",
        end.after
    );
}

#[test]
fn a_lower_budget_of_the_platform_is_kept() {
    let mut subject = Subject::run(
        Command::new(env!("CARGO_BIN_EXE_subject")).env("SUBJECT", "stuck,slow").env("SHUTDOWN_BUDGET", "2s"),
    );
    let end = subject.wait_for("started").signal("-TERM").end();
    assert_eq!(end.code(), Some(1), "{}", end.log);
    assert!(end.said("Db closed"), "a late close keeps its share");
    assert!(end.after < Duration::from_secs(2), "{:?}", end.after);

    let mut subject =
        Subject::run(Command::new(env!("CARGO_BIN_EXE_subject")).env("SHUTDOWN_BUDGET", "soon"));
    let end = subject.end();
    assert_eq!(end.code(), Some(1));
    assert!(end.log.contains("SHUTDOWN_BUDGET=soon is no duration"), "{}", end.log);
}
