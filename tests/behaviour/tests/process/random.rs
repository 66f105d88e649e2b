//! Random faults in real processes: what the paused clock cannot show, blocking threads and destructors among them.
//!
//! `FAULT_PROCESSES` is how many (16), `FAULT_FIRST` the first seed (0).

use std::time::Duration;

use fastrand::Rng;

use crate::subject::Subject;

/// A fault, the line of the report that must tell of it, and whether the stop is still clean.
const FAULTS: [(&str, &str, bool); 10] = [
    ("slow", "slow  Completed", true),
    ("outside", "", true),
    ("global-runtime", "", true),
    ("nested", "Nested  Completed", true),
    ("integrates", "integrates  Completed", true),
    ("stuck", "stuck  TimedOut", false),
    ("stdin", "reads_stdin  Abandoned", false),
    ("blocking-close", "Blocking  Abandoned", false),
    ("tears", "tears  Panicked: in a destructor", false),
    ("fails", "fails  Failed: the consumer lost its group", false),
];

/// A line of the drawing, as its first and last column.
fn ends(line: &str) -> Option<String> {
    let (name, rest) = line.trim().split_once(char::is_whitespace)?;
    let (_, outcome) = rest.rsplit_once(" of ")?;
    let outcome = outcome.trim_start().split_once(char::is_whitespace)?.1;
    Some(format!("{name}  {}", outcome.trim()))
}

#[test]
fn random_faults_in_real_processes_end_in_time_with_every_member_named() {
    let number = |name, otherwise| std::env::var(name).map_or(otherwise, |text| text.parse().unwrap());
    let first = number("FAULT_FIRST", 0_u64);
    for seed in first..first + number("FAULT_PROCESSES", 16) {
        let mut rng = Rng::with_seed(seed);
        let faults: Vec<_> = FAULTS.into_iter().filter(|_| rng.u8(..3) == 0).collect();
        let mode = faults.iter().map(|(name, _, _)| *name).collect::<Vec<_>>().join(",");
        let mut subject = Subject::start(&mode);
        subject.wait_for("started").pause(20 + rng.u64(..150));
        let end = subject.signal(if rng.bool() { "-TERM" } else { "-INT" }).end();
        let told = format!("seed {seed}, {mode}: {:?} {:?}\n{}", end.status, end.lines, end.log);
        let clean = faults.iter().all(|(_, _, clean)| *clean);
        assert_eq!(end.code(), Some(i32::from(!clean)), "{told}");
        let members: Vec<_> = end.log.lines().filter_map(ends).collect();
        let expected = faults.iter().map(|(_, line, _)| *line).filter(|line| !line.is_empty());
        for line in expected.chain(["quiet  Completed", "leave  Completed", "Db  Completed"]) {
            assert!(members.iter().any(|member| member == line), "{line:?} is not in {members:?}\n{told}");
        }
        let last: Vec<_> = end.lines.iter().rev().take(2).rev().collect();
        assert_eq!(last, ["Db closed", "guard dropped"], "{told}");
        // 3 s of work, then a hook, a close and a close of one each, with a join of 0.1 s behind those that were cut.
        assert!(end.after < Duration::from_secs(7), "{:?} {told}", end.after);
    }
}
