//! What the style guide says of the log, and of the time that `preStop` takes.

use crate::subject::Subject;

/// R-SHUT-OBS-3, R-SHUT-OBS-X1, and of R-SHUT-K8S-1 what is wrong with it (defect L5): `preStop` spends the same grace period.
#[test]
fn the_signal_is_logged_first_with_what_pre_stop_has_left_and_a_clean_stop_logs_no_error() {
    let end = Subject::start("").wait_for("started").signal("-TERM").end();
    assert_eq!(end.code(), Some(0), "{}", end.log);
    let report = end.log.find("shutdown of Subject: ").expect("a report");
    let log: Vec<&str> = end.log[..report].lines().collect();
    // Of 12 s, 1 s is `preStop`'s and 2 s are kept to go.
    let first = log.first().expect("a log");
    assert!(first.contains("shutdown begins reason=SIGTERM time=9s"), "{first}");
    assert!(first.contains("plan=\"Subject\""), "{first}");
    assert!(log.iter().all(|line| line.contains(" INFO ")), "{}", end.log);
    assert!(log.last().is_some_and(|line| line.contains("shutdown is over") && line.contains("total=")));
}
