//! `ready = "explicit"` and `at = "drain"` as a platform sees them: signals, lines and exit codes.

use std::process::Command;
use std::time::Duration;

use crate::subject::Subject;

fn registered(mode: &str) -> Subject {
    Subject::run(Command::new(env!("CARGO_BIN_EXE_registered")).env("SUBJECT", mode))
}

fn place(lines: &[String], line: &str) -> usize {
    lines.iter().position(|said| said == line).unwrap_or_else(|| panic!("it never said {line:?}: {lines:?}"))
}

#[test]
fn a_hook_at_the_drain_runs_before_the_window_and_is_in_the_report() {
    let end = registered("").wait_for("serving").signal("-TERM").end();
    assert_eq!(end.code(), Some(0), "{}", end.log);
    let hook = place(&end.lines, "deregistering, ready: false");
    assert!(hook < place(&end.lines, "serves told"), "{:?}", end.lines);
    assert!(place(&end.lines, "deregistered") < place(&end.lines, "serves told"), "{:?}", end.lines);
    assert!(end.log.contains("    deregister "), "{}", end.log);
    assert!(end.after >= Duration::from_millis(300), "the window follows it: {:?}", end.after);
}

#[test]
fn one_that_blocks_its_thread_is_abandoned_and_the_stop_goes_on() {
    let end = registered("blocks").wait_for("serving").signal("-TERM").end();
    assert_eq!(end.code(), Some(1), "{}", end.log);
    let line = end.log.lines().find(|line| line.starts_with("    deregister ")).unwrap_or_default();
    assert!(line.contains("Abandoned"), "{}", end.log);
    assert!(end.said("serves told") && end.said("Db closed"), "{:?}", end.lines);
    // 1 s of the hook, 100 ms for its join, 300 ms of window.
    assert!(
        end.after > Duration::from_millis(1_300) && end.after < Duration::from_millis(2_400),
        "{:?}",
        end.after
    );
}

#[test]
fn one_that_is_not_ready_in_time_fails_the_start_and_what_had_started_stops_in_order() {
    let end = registered("never").wait_for("joining").count_from_now().end();
    assert_eq!(end.code(), Some(1), "{}", end.log);
    assert!(end.log.contains("`joins` failed: it did not say within 700ms that it is ready"), "{}", end.log);
    assert!(place(&end.lines, "joins told") < place(&end.lines, "lower told"), "{:?}", end.lines);
    assert!(place(&end.lines, "lower told") < place(&end.lines, "Db closed"), "{:?}", end.lines);
    assert!(!end.lines.iter().any(|line| line.starts_with("serv")), "{:?}", end.lines);
    assert!(end.log.contains("NotStarted"), "{}", end.log);
    assert!(end.after < Duration::from_secs(2), "{:?}", end.after);
}

#[test]
fn one_that_ends_before_it_is_ready_fails_the_start_at_once() {
    let end = registered("gives-up").wait_for("joining").count_from_now().end();
    assert_eq!(end.code(), Some(1), "{}", end.log);
    assert!(end.log.contains("`joins` failed: it ended before it said that it is ready"), "{}", end.log);
    assert!(end.said("lower told") && end.said("Db closed") && !end.said("serving"), "{:?}", end.lines);
    assert!(end.after < Duration::from_millis(600), "{:?}", end.after);
}

#[test]
fn a_signal_while_it_is_waited_for_is_no_failure() {
    let end = registered("never").wait_for("joining").signal("-TERM").end();
    assert_eq!(end.code(), Some(0), "{}", end.log);
    assert!(end.said("joins told") && end.said("lower told") && end.said("Db closed"), "{:?}", end.lines);
    assert!(!end.said("serving"), "{:?}", end.lines);
    assert!(end.after < Duration::from_millis(600), "readiness was never on, so no window: {:?}", end.after);
}
