//! The drawing: every stretch of a stop's time has a name.

use std::time::Duration;

use shutdown_runtime::testing::Script;
use shutdown_runtime::{Shutdown, background_task, shutdown_plan, testing};
use tokio::time::sleep;

#[background_task(budget = "8s")]
async fn worker(shutdown: Shutdown) {
    shutdown.requested().await;
    sleep(Duration::from_secs(4)).await;
}

#[shutdown_plan(budget = "60s", pre_stop = "10s", lame_duck = "2s")]
struct Service {
    work: worker,
}

/// The first column of each line's bar that is drawn, and how many are.
fn bars(drawing: &str) -> Vec<(String, usize, usize)> {
    let bars = drawing.lines().filter(|line| line.contains('█'));
    bars.map(|line| {
        let name = line.trim_start_matches([' ', '*']).split("  ").next().unwrap().to_owned();
        let bar: Vec<_> = line.chars().filter(|each| "█·".contains(*each)).collect();
        let from = bar.iter().position(|each| *each == '█').unwrap();
        (name, from, bar.iter().filter(|each| **each == '█').count())
    })
    .collect()
}

#[tokio::test(start_paused = true)]
async fn the_window_is_drawn_from_the_trigger_to_the_first_phase() {
    let running = testing::start(Service { work: worker() }).unwrap();
    sleep(Duration::from_millis(1)).await;
    running.handle().request("the test");
    let report = running.stopped().await;
    let drawing = report.to_string();
    // 12 of 16 s, and 4 of 16 s.
    let drawn = |name: &str, from, columns| (name.to_owned(), from, columns);
    assert_eq!(
        bars(&drawing),
        [drawn("window", 0, 24), drawn("work", 24, 8), drawn("worker", 24, 8)],
        "{drawing}"
    );
    assert!(drawing.lines().nth(1).unwrap().ends_with(" 12s"), "{drawing}");
}

#[tokio::test(start_paused = true)]
async fn a_report_in_the_middle_of_the_window_draws_what_there_was_of_it() {
    let second = Duration::from_secs(1);
    // A person insists while the window lasts; the first of the two signals comes from the platform.
    let script = Script::new().request(second, "the test").terminate(3 * second).interrupt(4 * second);
    let played = script.run(Service { work: worker() }).await.unwrap();
    let drawing = played.report.to_string();
    assert_eq!(bars(&drawing), [("window".to_owned(), 0, 32)], "{drawing}");
    assert!(drawing.contains("work                     not reached"), "{drawing}");
    assert_eq!(played.report.window, 3 * second, "{drawing}");
}

/// The conductor cannot run while the test's only thread is held: for as long nothing had begun, and that is said.
#[tokio::test]
async fn what_a_busy_runtime_delayed_has_a_line_of_its_own() {
    let running = testing::start(Service { work: worker() }).unwrap();
    tokio::task::yield_now().await;
    running.handle().request("the test");
    std::thread::sleep(Duration::from_millis(400));
    // Once the conductor has begun the window, time may pass as fast as it likes.
    while running.readiness().is_ready() {
        tokio::task::yield_now().await;
    }
    tokio::time::pause();
    let report = running.stopped().await;
    assert!(report.taken_up >= Duration::from_millis(400), "{:?}", report.taken_up);
    let drawing = report.to_string();
    let bars = bars(&drawing);
    assert_eq!((bars[0].0.as_str(), bars[0].1), ("(not yet taken up)", 0), "{drawing}");
    assert_eq!((bars[1].0.as_str(), bars[1].1), ("window", bars[0].2), "{drawing}");
    assert_eq!(bars[2].1, bars[1].1 + bars[1].2, "{drawing}");
}
