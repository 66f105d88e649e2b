//! Members that overrun, block and wedge: bounded, named, and the rest still runs.

use std::io::Write as _;
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
        end.log.contains("of 2s (SIGTERM)"),
        "the reason is known though the runtime never ran\n{}",
        end.log
    );
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

#[test]
fn a_full_log_pipe_cannot_keep_the_process() {
    let (reader, writer) = std::io::pipe().unwrap();
    let mut filler = writer.try_clone().unwrap();
    // Blocks once the pipe is full, and stays so until the reader is dropped.
    std::thread::spawn(move || while filler.write_all(&[b'.'; 4_096]).is_ok() {});
    std::thread::sleep(Duration::from_millis(200));
    let mut command = Command::new(env!("CARGO_BIN_EXE_subject"));
    let mut subject = Subject::run_with_stderr(command.env("SHUTDOWN_BUDGET", "4s"), writer.into());
    // The conductor blocks in its first line; a repeated signal must not block the watchdog too.
    let end = subject.wait_for("started").signal("-TERM").pause(600).signal("-TERM").end();
    assert_eq!(end.code(), Some(70));
    assert!(end.after < Duration::from_millis(3_500), "{:?}", end.after);
    drop(reader);
}

#[test]
fn a_log_pipe_whose_reader_has_gone_does_not_cost_the_stop() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut subject =
        Subject::run_with_stderr(&mut Command::new(env!("CARGO_BIN_EXE_subject")), writer.into());
    let end = subject.wait_for("started").signal("-TERM").end();
    assert_eq!(end.code(), Some(0));
    assert_eq!(end.lines, ["started", "quiet told", "left", "Db closed", "guard dropped"]);
}

#[test]
fn a_destructor_that_panics_in_an_aborted_task_is_told_though_it_prints_its_backtrace() {
    for backtrace in ["0", "1"] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_subject"));
        let mut subject = Subject::run(command.env("SUBJECT", "tears").env("RUST_BACKTRACE", backtrace));
        let end = subject.wait_for("started").signal("-TERM").end();
        assert_eq!(end.code(), Some(1), "{}", end.log);
        assert!(end.log.contains("Panicked: in a destructor"), "{}", end.log);
        assert!(end.said("left") && end.said("Db closed"), "{:?}", end.lines);
    }
}
