//! Trouble that others reported, by its row, where only a real process shows it. `tests/README.md` has the other rows.

use std::process::Command;
use std::time::Duration;

use crate::subject::Subject;

#[test]
fn field_report_79_signals_that_cannot_be_taken_over_are_a_start_error() {
    // The standard streams and one more, which the loader needs: no socket pair to wake a thread through.
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -n 4; exec \"$0\"", env!("CARGO_BIN_EXE_subject")]);
    let end = Subject::run(&mut command).end();
    assert_eq!(end.code(), Some(1), "{:?}\n{}", end.status, end.log);
    assert!(end.log.contains("signal handlers") && end.log.contains("os error 24"), "{}", end.log);
    assert!(end.lines.is_empty(), "nothing has started: {:?}", end.lines);
}

#[test]
fn field_report_94_blocking_work_that_looks_at_the_stop_ends_at_the_next_record() {
    let end = Subject::start("integrates").wait_for("started").signal("-TERM").end();
    assert_eq!(end.code(), Some(0), "{}", end.log);
    assert!(end.said("stopped at a record"), "{:?}", end.lines);
    assert!(end.after < Duration::from_millis(500), "{:?}", end.after);
}

#[test]
fn peer_03_async_code_that_blocks_its_thread_is_abandoned_and_the_rest_goes_on() {
    // It blocks the very thread that told it; with a crowd the driver has more to do than tokio lets it do in one go.
    for mode in ["blocks", "crowd,blocks"] {
        for _ in 0..4 {
            let end = Subject::start(mode).wait_for("started").pause(50).signal("-TERM").end();
            assert_eq!(end.code(), Some(1), "{mode}: {}", end.log);
            assert!(end.log.contains("Abandoned"), "{mode}: {}", end.log);
            assert!(
                end.said("left") && end.said("Db closed") && end.said("guard dropped"),
                "{:?}",
                end.lines
            );
            assert!(end.after < Duration::from_secs(2), "{mode}: {:?}", end.after);
        }
    }
}
