//! Signals, errors and panics before the service has started.

use std::process::Command;
use std::time::Duration;

use crate::subject::Subject;

#[test]
fn a_failed_start_is_one_clear_line_and_closes_what_was_made() {
    let end = Subject::start("start-fails").end();
    assert_eq!(end.code(), Some(1));
    assert_eq!(end.lines, ["Db closed", "guard dropped"]);
    assert!(end.log.ends_with("Error: the database at nowhere:5432 does not answer\n"), "{}", end.log);
}

#[test]
fn a_panic_in_main_closes_what_was_made() {
    let end = Subject::start("start-panics").end();
    assert_eq!(end.code(), Some(1));
    assert!(end.said("Db closed") && end.said("guard dropped"));
    assert!(end.log.contains("the start-up panicked: start-up boom"), "{}", end.log);
}

#[test]
fn what_a_start_had_made_closes_newest_first_however_it_ends() {
    for (mode, code) in [("second,start-fails", 1), ("second,start-panics", 1), ("second,nothing-to-do", 0)] {
        let end = Subject::start(mode).end();
        assert_eq!(end.code(), Some(code), "{mode}: {}", end.log);
        assert_eq!(end.lines, ["Second closed", "Db closed", "guard dropped"], "{mode}");
    }
    let end = Subject::start("second,start-hangs").wait_for("starting").signal("-TERM").end();
    assert_eq!(end.code(), Some(0), "{}", end.log);
    assert_eq!(end.lines, ["starting", "Second closed", "Db closed", "guard dropped"]);
}

#[test]
fn the_deadline_bounds_a_migration_that_never_ends() {
    let mut subject = Subject::run(
        Command::new(env!("CARGO_BIN_EXE_subject"))
            .env("SUBJECT", "start-stuck")
            .env("SHUTDOWN_BUDGET", "4s"),
    );
    let end = subject.wait_for("migrating").signal("-TERM").end();
    // Two seconds are the margin's, and of the rest the close keeps its own: the migration was shielded until then.
    assert!(end.after > Duration::from_millis(500), "{:?}", end.after);
    assert!(end.after < Duration::from_secs(4), "{:?}", end.after);
    assert_eq!(end.lines, ["migrating", "Unhurried closed", "Db closed", "guard dropped"], "{}", end.log);
}

#[test]
fn a_close_that_hangs_after_a_failed_start_takes_none_of_the_others_time() {
    // Two seconds are the margin's; of the rest the first to close may take, by its budget, all.
    let end = Subject::run(
        Command::new(env!("CARGO_BIN_EXE_subject"))
            .env("SUBJECT", "stuck-close,start-fails")
            .env("SHUTDOWN_BUDGET", "4s"),
    )
    .end();
    assert_eq!(end.code(), Some(1), "{}", end.log);
    assert_eq!(end.lines, ["Patient closed", "Db closed", "guard dropped"], "{}", end.log);
    assert!(end.log.contains("`Stuck` did not close well after a failed start: TimedOut"), "{}", end.log);
    assert!(end.log.contains(r#"member="Stuck" outcome="TimedOut""#), "{}", end.log);
}

#[test]
fn an_interrupted_start_whose_clean_up_goes_wrong_is_one() {
    let end = Subject::start("start-hangs,start-blocks").wait_for("starting").signal("-TERM").end();
    assert_eq!(end.code(), Some(1), "{}", end.log);
    assert!(end.log.contains("`Blocking` did not close well after a failed start: Abandoned"), "{}", end.log);
    assert!(end.said("Db closed"), "{:?}", end.lines);
}

#[test]
fn a_signal_during_start_up_unwinds_it() {
    for signal in ["-TERM", "-INT"] {
        let end = Subject::start("start-hangs").wait_for("starting").signal(signal).end();
        assert_eq!(end.code(), Some(0), "{}", end.log);
        assert_eq!(end.lines, ["starting", "Db closed", "guard dropped"]);
        assert!(end.after < Duration::from_millis(500), "{:?}", end.after);
    }
}

#[test]
fn a_migration_is_shielded() {
    let end = Subject::start("start-migrates").wait_for("migrating").signal("-TERM").end();
    assert_eq!(end.code(), Some(0), "{}", end.log);
    assert_eq!(end.lines, ["migrating", "migrated", "Db closed", "guard dropped"]);
}

#[test]
fn a_main_with_nothing_to_run_is_fine() {
    let end = Subject::start("nothing-to-do").end();
    assert_eq!(end.code(), Some(0), "{}", end.log);
    assert_eq!(end.lines, ["Db closed", "guard dropped"]);
}

#[test]
fn a_resource_outside_the_plan_is_refused() {
    let end = Subject::start("forgotten").end();
    assert_eq!(end.code(), Some(1), "{}", end.log);
    assert!(end.log.contains("the `Resource<Blocking>` made at"), "{}", end.log);
    assert!(end.said("Db closed"), "{:?}", end.lines);
}

#[test]
fn a_plan_that_is_refused_at_the_start_closes_what_stands_in_it() {
    let end = Subject::run(&mut Command::new(env!("CARGO_BIN_EXE_refused"))).end();
    assert_eq!(end.code(), Some(0), "{}", end.log);
    assert_eq!(end.lines[0], "Db closed");
    assert!(end.lines[1].starts_with("refused: the lease of `Db` made at"), "{:?}", end.lines);
}

#[test]
fn signals_right_after_the_start_never_kill() {
    // The moment between exec and `main` belongs to the loader; from a few milliseconds on every signal is ours
    // (field report 74). Fifty runs, spread over start-up and the first moments of service.
    let mut early = 0;
    for run in 0..50 {
        let end = Subject::start("").pause(3 + run).signal("-TERM").end();
        if end.killed_by() == Some(15) && end.lines.is_empty() {
            early += 1;
            continue;
        }
        assert_eq!(end.code(), Some(0), "run {run}: {:?}\n{}", end.status, end.log);
    }
    assert!(early <= 10, "{early} of 50 were killed before `main` had begun");
}
