//! What a second signal means.

use std::time::Duration;

use crate::subject::Subject;

#[test]
fn a_repeated_sigterm_does_not_cost_the_drain() {
    // Orchestrators repeat it; the peers' report 1 wants it to force, the design does not.
    let end = Subject::start("slow").wait_for("started").signal("-TERM").pause(700).signal("-TERM").end();
    assert_eq!(end.code(), Some(0), "{}", end.log);
    assert!(end.said("slow done"), "{:?}", end.lines);
    assert!(end.log.contains("a repeated signal"), "{}", end.log);
}

#[test]
fn a_doubled_ctrl_c_is_one() {
    let end = Subject::start("slow").wait_for("started").signal("-INT").pause(100).signal("-INT").end();
    assert_eq!(end.code(), Some(0), "{}", end.log);
    assert!(end.said("slow done"));
    let end = Subject::start("slow").wait_for("started").signal("-TERM").signal("-INT").end();
    assert_eq!(end.code(), Some(0), "two different signals at once (field report 71)\n{}", end.log);
}

#[test]
fn whoever_insists_gets_an_exit_at_once_by_that_signal() {
    for first in ["-INT", "-TERM"] {
        let end =
            Subject::start("stuck,slow").wait_for("started").signal(first).pause(600).signal("-INT").end();
        assert_eq!(end.killed_by(), Some(2), "{}", end.log);
        assert!(end.after < Duration::from_secs(1), "{:?}", end.after);
        assert!(end.log.contains("forced exit by SIGINT"), "{}", end.log);
        assert!(end.log.contains("Unknown"), "the report as it is\n{}", end.log);
        assert!(end.said("guard dropped"), "{:?}", end.lines);
    }
}

#[test]
fn insisting_works_while_every_worker_is_blocked() {
    let end = Subject::start("wedged").pause(500).signal("-TERM").pause(600).signal("-INT").end();
    assert_eq!(end.killed_by(), Some(2), "{}", end.log);
    assert!(end.after < Duration::from_secs(1), "{:?}", end.after);
}
