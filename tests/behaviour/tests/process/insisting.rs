//! A SIGINT of someone who insists ends the process within a second, by that signal and with the report, whatever the
//! process is doing.

use std::time::Duration;

use crate::namespace;
use crate::subject::{End, Subject};

#[track_caller]
fn assert_forced(end: &End) {
    assert!(end.after < Duration::from_secs(1), "{:?}", end.after);
    assert!(end.log.contains("forced exit by SIGINT"), "{}", end.log);
    assert!(end.log.contains("shutdown of Subject"), "the report as it is\n{}", end.log);
}

fn insist(mode: &str) -> End {
    Subject::start(mode).pause(400).signal("-TERM").pause(600).signal("-INT").end()
}

#[test]
fn while_threads_spin() {
    let end = insist("spins,wedged");
    assert_eq!(end.killed_by(), Some(2), "{:?}", end.status);
    assert_forced(&end);
}

#[test]
fn while_stdout_is_full_and_locked() {
    let mut subject = Subject::start_unread("full-stdout,stuck");
    let end = subject.pause(400).signal("-TERM").pause(600).signal("-INT").end();
    assert_eq!(end.killed_by(), Some(2), "{:?}", end.status);
    assert_forced(&end);
}

#[test]
fn while_a_thread_sits_in_an_exit_handler() {
    let end = insist("exits,stuck");
    assert_eq!(end.killed_by(), Some(2), "{:?}", end.status);
    assert_forced(&end);
}

#[test]
fn an_exit_handler_that_hangs_does_not_keep_a_clean_stop() {
    let end = Subject::start("exits").wait_for("started").signal("-TERM").end();
    assert_eq!(end.code(), Some(0), "{:?}\n{}", end.status, end.log);
    assert!(end.after < Duration::from_secs(1), "{:?}", end.after);
}

#[test]
fn as_the_first_process_of_its_namespace() {
    if !namespace::is_permitted() {
        return;
    }
    // A default action does nothing there: the code says which signal it was.
    let end = namespace::start("stuck").wait_for("started").signal("-TERM").pause(600).signal("-INT").end();
    assert_eq!(end.code(), Some(130), "{:?}", end.status);
    assert_forced(&end);
}
