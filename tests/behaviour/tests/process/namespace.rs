//! A subject as PID 1 of its own namespace, as in a container: default actions of signals do nothing there.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::subject::Subject;

/// Whether this machine lets us make one.
pub(crate) fn is_permitted() -> bool {
    let tried = Command::new("unshare").args(["--pid", "--fork", "true"]).stderr(Stdio::null()).status();
    let permitted = tried.is_ok_and(|status| status.success());
    if !permitted {
        println!("skipped: no PID namespace may be made here (`unshare --pid --fork` is refused)");
    }
    permitted
}

/// Starts a subject as PID 1; its signals go to it, its end is passed on by `unshare`.
pub(crate) fn start(mode: &str) -> Subject {
    start_program(env!("CARGO_BIN_EXE_subject"), mode)
}

fn start_program(program: &str, mode: &str) -> Subject {
    let mut command = Command::new("unshare");
    command.args(["--pid", "--fork", "--kill-child", program]).env("SUBJECT", mode);
    let mut subject = Subject::run(&mut command);
    let name = Path::new(program).file_name().unwrap().to_string_lossy().into_owned();
    let first = first_process(subject.id(), &name);
    subject.signals_go_to(first);
    subject
}

/// The one child of `unshare`, once it is the subject.
fn first_process(parent: u32, program: &str) -> u32 {
    let give_up = Instant::now() + Duration::from_secs(10);
    loop {
        let children =
            fs::read_to_string(format!("/proc/{parent}/task/{parent}/children")).unwrap_or_default();
        if let Some(child) = children.split_whitespace().next().and_then(|id| id.parse().ok()) {
            let name = fs::read_to_string(format!("/proc/{child}/comm")).unwrap_or_default();
            if name.trim() == program {
                return child;
            }
        }
        assert!(Instant::now() < give_up, "`unshare` started nothing");
        std::thread::sleep(Duration::from_micros(200));
    }
}

#[test]
fn once_no_plan_runs_a_signal_does_nothing_to_the_first_process() {
    if !is_permitted() {
        return;
    }
    // As the kernel has it by default. Emulating an action that does not kill once ended in an abort.
    let mut subject = start_program(env!("CARGO_BIN_EXE_own-runtime"), "");
    subject.wait_for("started").signal("-TERM").wait_for("first: true");
    subject.wait_for("refused: another shutdown plan is running in this process");
    subject.signal("-TERM").wait_for("second: true");
    subject.wait_for("cancelled: another shutdown plan is running in this process");
    subject.signal("-TERM").pause(300).signal("-TERM").pause(300);
    assert!(subject.is_running());
}
