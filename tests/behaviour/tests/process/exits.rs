//! Exit codes, and that nothing delays the exit.

use std::process::Command;
use std::time::Duration;

use crate::subject::Subject;

#[test]
fn a_signal_and_a_clean_stop_is_zero_and_quick() {
    for signal in ["-TERM", "-INT"] {
        let end = Subject::start("").wait_for("started").signal(signal).end();
        assert_eq!(end.code(), Some(0), "{}", end.log);
        assert_eq!(end.lines, ["started", "quiet told", "left", "Db closed", "guard dropped"]);
        assert!(end.after < Duration::from_millis(500), "{:?}", end.after);
        assert!(end.log.contains("shutdown of Subject: clean"), "{}", end.log);
    }
}

#[test]
fn a_failed_task_is_one() {
    let end = Subject::start("fails").end();
    assert_eq!(end.code(), Some(1), "{}", end.log);
    assert!(end.log.contains("`fails` failed: the consumer lost its group"), "{}", end.log);
    assert!(end.said("Db closed"));
}

#[test]
fn a_natural_end_is_zero() {
    let end = Subject::start("finishes").end();
    assert_eq!(end.code(), Some(0), "{}", end.log);
    assert!(end.said("Db closed"));
}

#[test]
fn a_stop_that_comes_before_the_tasks_starts_none_and_closes_all() {
    let end = Subject::start("asks-to-stop,slow").end();
    assert_eq!(end.code(), Some(0), "{}", end.log);
    assert_eq!(end.lines, ["left", "Db closed", "guard dropped"]);
    for task in ["quiet", "slow"] {
        let line = end.log.lines().find(|line| line.starts_with(&format!("    {task} "))).unwrap_or_default();
        assert!(line.ends_with("NotStarted"), "{task}: {}", end.log);
    }
    assert!(end.log.contains("clean, ") && end.log.contains("(requested: nothing to serve)"), "{}", end.log);
}

#[test]
fn what_the_runtime_still_holds_does_not_delay_the_exit() {
    // A blocking call outside the plan (field report 90), and a pending stdin inside it (91).
    let end = Subject::start("outside").wait_for("started").signal("-TERM").end();
    assert_eq!(end.code(), Some(0), "{}", end.log);
    assert!(end.after < Duration::from_secs(1), "{:?}", end.after);

    let end = Subject::start("stdin").wait_for("started").signal("-TERM").end();
    assert_eq!(end.code(), Some(1), "blocking code that cannot be joined is named\n{}", end.log);
    assert!(end.log.contains("Abandoned"), "{}", end.log);
    assert!(end.after < Duration::from_millis(2_500), "{:?}", end.after);
}

#[test]
fn a_resource_may_own_a_runtime() {
    let end = Subject::start("nested").wait_for("started").signal("-TERM").end();
    assert_eq!(end.code(), Some(0), "{}", end.log);
    assert!(end.said("Nested closed") && end.said("Nested dropped 1"), "{:?}\n{}", end.lines, end.log);
}

#[test]
fn what_a_close_writes_on_its_own_thread_is_in_its_members_span() {
    let end = Subject::start("nested").wait_for("started").signal("-TERM").end();
    let spans = r#"shutdown{plan="Subject"}:phase{name="troubles"}:member{name="Nested" kind="resource"}"#;
    assert!(end.log.contains(&format!("{spans}: subject: closing what is nested")), "{}", end.log);
}

#[test]
fn those_who_keep_their_runtime_get_their_signals_back() {
    let mut subject = Subject::run(&mut Command::new(env!("CARGO_BIN_EXE_own-runtime")));
    subject.wait_for("started").signal("-TERM").wait_for("first: true");
    subject.wait_for("refused: another shutdown plan is running in this process");
    subject.signal("-TERM").wait_for("second: true");
    subject.wait_for("cancelled: another shutdown plan is running in this process");
    let end = subject.signal("-TERM").pause(300).signal("-TERM").end();
    assert_eq!(end.killed_by(), Some(15), "the default action is back\n{}", end.log);
}

#[test]
fn the_plan_is_printed_before_anything_starts() {
    for (format, word) in [
        ("text", "stops from top to bottom"),
        ("mermaid", "flowchart"),
        ("dot", "digraph"),
        ("json", "\"phases\""),
        ("kubernetes", "terminationGracePeriodSeconds: 12"),
    ] {
        let end =
            Subject::run(Command::new(env!("CARGO_BIN_EXE_subject")).env("SHUTDOWN_PLAN", format)).end();
        assert_eq!(end.code(), Some(0));
        assert!(end.lines.join("\n").contains(word), "{:?}", end.lines);
        assert!(!end.said("started"));
    }
    let end = Subject::run(Command::new(env!("CARGO_BIN_EXE_subject")).env("SHUTDOWN_PLAN", "png")).end();
    assert_eq!(end.code(), Some(1));
    assert!(end.log.contains("SHUTDOWN_PLAN=png is none of text"), "{}", end.log);
}

#[test]
fn the_exit_follows_the_last_guard_whatever_still_runs() {
    // The subject has a global subscriber, too, and of these threads none ever ends.
    for mode in ["outside", "global-runtime", "outside,global-runtime,nested"] {
        let mut subject = Subject::start(mode);
        let end =
            subject.wait_for("started").signal("-TERM").wait_for("guard dropped").count_from_now().end();
        assert_eq!(end.code(), Some(0), "{mode}: {}", end.log);
        assert!(end.after < Duration::from_millis(300), "{mode}: {:?}", end.after);
    }
    // Where `main` panics as well (field report 95).
    for mode in ["outside,start-panics", "global-runtime,start-panics"] {
        let end = Subject::start(mode).wait_for("guard dropped").count_from_now().end();
        assert_eq!(end.code(), Some(1), "{mode}: {}", end.log);
        assert!(end.after < Duration::from_millis(300), "{mode}: {:?}", end.after);
        assert!(end.said("Db closed"), "{mode}: {:?}", end.lines);
    }
}
