//! What a failed sweep says about running it again is true.

use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use shutdown_runtime::testing::kill_at_every_await;
use tokio::time::sleep;

use crate::support::millis;

#[tokio::test(start_paused = true)]
#[ignore = "it fails: the other test of this file runs it"]
async fn fails_from_the_third_await_on() {
    kill_at_every_await(
        async || {
            println!("a run begins");
            AtomicU32::new(0)
        },
        async |steps: &AtomicU32| {
            for _ in 0..4 {
                sleep(millis(1)).await;
                steps.fetch_add(1, Relaxed);
            }
        },
        async |steps: &AtomicU32| assert!(steps.load(Relaxed) < 2 + 4, "more than one step was taken twice"),
    )
    .await;
}

fn run(arguments: &[&str], only: Option<&str>) -> String {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(arguments).args(["--ignored", "--nocapture"]).env_remove("SHUTDOWN_AWAIT");
    if let Some(only) = only {
        command.env("SHUTDOWN_AWAIT", only);
    }
    let output = command.output().unwrap();
    assert!(!output.status.success());
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

#[test]
fn the_line_of_a_failure_runs_that_await_alone() {
    let whole = run(&["--exact", "rerun::fails_from_the_third_await_on"], None);
    assert_eq!(whole.matches("a run begins").count(), 3, "{whole}");
    let (_, line) = whole.split_once("that one again: SHUTDOWN_AWAIT=").unwrap();
    let (number, rest) = line.split_once(" cargo test -- ").unwrap();
    let arguments: Vec<_> = rest.lines().next().unwrap().split(' ').collect();
    assert_eq!((number, arguments[0]), ("3", "--exact"));
    let again = run(&arguments, Some(number));
    assert_eq!(again.matches("a run begins").count(), 1, "{again}");
    assert!(again.contains("SHUTDOWN_AWAIT=3"), "{again}");
    assert!(run(&arguments, Some("0")).contains("SHUTDOWN_AWAIT=0 names no await"));
}
