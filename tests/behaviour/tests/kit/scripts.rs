//! Stops by script: the moments, the reasons, and the end that a person forces.

use std::time::Duration;

use shutdown_runtime::testing::{ReportAssertions as _, Script, ScriptError};
use shutdown_runtime::{Outcome, Reason, Shutdown, Signal, background_task, shutdown_plan};
use tokio::time::{Instant, sleep};

use crate::support::{failure, millis, seconds};

#[background_task(budget = "10s")]
async fn slow(takes: Duration, shutdown: Shutdown) {
    shutdown.requested().await;
    sleep(takes).await;
}

#[shutdown_plan(budget = "40s", pre_stop = "5s", lame_duck = "2s")]
struct Service {
    only: slow,
}

fn service(takes: u64) -> Service {
    Service { only: slow(seconds(takes)) }
}

#[tokio::test(start_paused = true)]
async fn steps_come_at_their_moments() {
    let began = Instant::now();
    let played = Script::new().terminate(seconds(3)).run(service(4)).await.unwrap();
    assert_eq!(began.elapsed().as_secs(), 3 + 2 + 4, "{}", played.report);
    assert_eq!(played.report.reason, Reason::Signal(Signal::Terminate));
    assert_eq!(played.exit_code(), 0);
    played.report.assert_clean();
}

#[tokio::test(start_paused = true)]
async fn a_request_has_the_whole_window_and_a_signal_shortens_it() {
    let asked = Script::new().request(seconds(1), "the script");
    let played = asked.clone().run(service(1)).await.unwrap();
    assert_eq!(played.report.window.as_secs(), 7, "{}", played.report);
    assert_eq!(played.report.reason.to_string(), "requested: the script");
    let played = asked.terminate(seconds(2)).run(service(1)).await.unwrap();
    assert_eq!(played.report.window.as_secs(), 1 + 2, "{}", played.report);
    let played = Script::new().request_now(seconds(1), "now").run(service(1)).await.unwrap();
    assert_eq!(played.report.window, Duration::ZERO, "{}", played.report);
}

#[tokio::test(start_paused = true)]
async fn only_an_interrupt_that_insists_forces_the_end() {
    let first = Script::new().interrupt(seconds(1));
    let doubled = first.clone().interrupt(millis(1_499)).run(service(5)).await.unwrap();
    assert_eq!((doubled.forced, doubled.exit_code()), (None, 0));
    let repeated = Script::new().terminate(seconds(1)).terminate(seconds(5)).run(service(5)).await.unwrap();
    assert_eq!(repeated.forced, None);
    let insisted = first.interrupt(millis(1_500)).run(service(5)).await.unwrap();
    assert_eq!((insisted.forced, insisted.exit_code()), (Some(Signal::Interrupt), 130));
    insisted.report.assert_outcome("slow", &Outcome::Unknown);
}

#[tokio::test(start_paused = true)]
async fn a_platform_that_grants_less_shrinks_the_limits() {
    let played = Script::new().within(seconds(10)).request_now(seconds(1), "now").run(service(60)).await;
    let played = played.unwrap();
    played.report.assert_outcome("slow", &Outcome::TimedOut).assert_within(millis(8_200));
    assert_eq!(played.exit_code(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_script_without_a_stop_is_told() {
    let nothing = Script::new().patience(seconds(30)).run(service(1)).await.unwrap_err();
    assert!(matches!(nothing, ScriptError::NothingStopsIt { .. }), "{nothing}");
}

#[tokio::test(start_paused = true)]
async fn steps_after_the_end_are_left_out() {
    let played = Script::new()
        .request_now(seconds(1), "first")
        .interrupt(seconds(3_000))
        .interrupt(seconds(4_000))
        .run(service(1))
        .await
        .unwrap();
    assert_eq!(played.forced, None);
    let text = failure(async move {
        played.report.assert_outcome("slow", &Outcome::Dropped);
    })
    .await;
    assert!(text.contains("`slow` ended Completed, not Dropped"), "{text}");
}
