//! A `job`: success is its natural end, and nothing else.

use std::process::Command;

use crate::subject::Subject;

fn job(mode: &str) -> Subject {
    Subject::run(Command::new(env!("CARGO_BIN_EXE_job")).env("JOB", mode))
}

#[test]
fn a_job_that_ends_by_itself_is_zero() {
    for mode in ["ends", "nothing-to-do"] {
        let end = job(mode).end();
        assert_eq!(end.code(), Some(0), "{mode}: {}", end.log);
    }
}

#[test]
fn a_job_that_a_signal_cuts_short_says_so_though_it_is_clean() {
    for (signal, code) in [("-TERM", 143), ("-INT", 130)] {
        let end = job("runs").wait_for("started").signal(signal).end();
        assert_eq!(end.code(), Some(code), "{}", end.log);
        assert!(end.log.contains("shutdown of Import: clean"), "{}", end.log);
        // In start-up too, and where a member did not end well.
        let end = job("start-hangs").wait_for("starting").signal(signal).end();
        assert_eq!(end.code(), Some(code), "{}", end.log);
        let end = job("unclean").wait_for("started").signal(signal).end();
        assert_eq!(end.code(), Some(code), "{}", end.log);
    }
}

#[test]
fn a_job_that_fails_or_is_asked_to_stop_is_one() {
    for mode in ["fails", "asked"] {
        let end = job(mode).end();
        assert_eq!(end.code(), Some(1), "{mode}: {}", end.log);
    }
}
