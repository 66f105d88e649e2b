//! Hooks with `at = "drain"`: in the first instant of a stop, before the window and every phase.

use shutdown_runtime::{
    Outcome, Readiness, Report, Resource, Shutdown, background_task, shutdown_hook, shutdown_plan, testing,
};
use tokio::sync::oneshot;
use tokio::time::{Instant, sleep};

use crate::support::{Db, Log, millis, seconds, stop};

#[background_task(budget = "5s")]
async fn api(log: Log, shutdown: Shutdown) {
    shutdown.draining().await;
    let began = Instant::now();
    shutdown.requested().await;
    log.add(format!("api told after {} ms", began.elapsed().as_millis()));
}

/// Takes a while, and uses what closes long after.
#[shutdown_hook(at = "drain", budget = "4s")]
async fn deregister(db: &Db, log: Log, shutdown: Shutdown) {
    let state = (shutdown.readiness().is_ready(), shutdown.is_requested(), shutdown.is_draining());
    db.0.add(format!("deregisters (ready, told, draining): {state:?}"));
    sleep(seconds(3)).await;
    log.add("deregistered");
}

#[shutdown_hook(at = "drain")]
async fn announce(log: Log) {
    sleep(seconds(1)).await;
    log.add("announced");
}

#[shutdown_hook(budget = "1s")]
async fn leave(log: Log) {
    log.add("left");
}

/// The hooks' fields stand where they would be too late, were it for those.
#[shutdown_plan(budget = "60s", pre_stop = "10s", lame_duck = "2s")]
struct Service {
    ingress: api,
    cluster: (leave, announce),
    storage: Resource<Db>,
    registry: deregister,
}

fn service(log: &Log) -> Service {
    let db = Resource::new(Db(log.clone()));
    Service {
        ingress: api(log.clone()),
        cluster: (leave(log.clone()), announce(log.clone())),
        registry: deregister(&db, log.clone()),
        storage: db,
    }
}

fn told(report: &Report, name: &str) -> u128 {
    report.member(name).and_then(|member| member.told).unwrap().as_millis()
}

#[tokio::test(start_paused = true)]
async fn they_run_together_before_the_window_and_everything_still_works() {
    let log = Log::default();
    let running = testing::start(service(&log)).unwrap();
    sleep(millis(10)).await;
    running.handle().request("a button");
    let report = running.stopped().await;
    assert_eq!(
        log.lines(),
        [
            "deregisters (ready, told, draining): (false, true, true)",
            "announced",
            "deregistered",
            // 3 s of the slower hook, and the window of an unannounced stop.
            "api told after 15000 ms",
            "left",
            "Db closed"
        ]
    );
    assert!(report.is_clean(), "{report}");
    assert_eq!(report.window, seconds(12));
    assert_eq!(
        (told(&report, "deregister"), told(&report, "announce"), told(&report, "leave")),
        (0, 0, 15_000)
    );
    assert_eq!(report.member("deregister").unwrap().duration, seconds(3));
    let drawn = report.to_string();
    assert!(drawn.lines().any(|line| line.contains("deregister ") && line.contains("3s of")), "{drawn}");
}

#[tokio::test(start_paused = true)]
async fn they_run_once_where_no_window_follows() {
    let log = Log::default();
    let played = testing::Script::new().interrupt(millis(10)).run(service(&log)).await.unwrap();
    assert!(played.report.is_clean(), "{}", played.report);
    assert_eq!(played.report.window, seconds(0));
    assert_eq!(told(&played.report, "api"), 3_000);
    assert_eq!(log.lines().iter().filter(|line| *line == "deregistered").count(), 1);
}

#[tokio::test(start_paused = true)]
async fn they_share_what_is_granted_with_the_window_and_the_phases() {
    let log = Log::default();
    // 5 s at the drain (of `announce`), 12 s of window, and 5 s, 1 s, 4 s of phases: 27 s in all, of which half are granted.
    let running = testing::start_within(service(&log), millis(15_500)).unwrap();
    sleep(millis(10)).await;
    running.handle().request("a button");
    let report = running.stopped().await;
    let hook = report.member("deregister").unwrap();
    assert_eq!((hook.limit, &hook.outcome), (seconds(2), &Outcome::TimedOut), "{report}");
    assert_eq!(report.window, seconds(6), "{report}");
    assert_eq!(told(&report, "api"), 8_000, "{report}");
}

#[shutdown_hook(at = "drain", budget = "2s")]
async fn hangs() {
    std::future::pending::<()>().await;
}

#[shutdown_hook(at = "drain")]
async fn panics() {
    panic!("no registry here");
}

#[shutdown_hook(at = "drain")]
async fn fails() -> Result<(), String> {
    Err(String::from("the registry does not answer"))
}

#[shutdown_plan(budget = "30s")]
struct Troubled {
    hooks: (hangs, panics, fails),
    ingress: api,
}

#[tokio::test(start_paused = true)]
async fn one_that_hangs_panics_or_fails_is_named_and_the_stop_goes_on() {
    let log = Log::default();
    let plan = Troubled { hooks: (hangs(), panics(), fails()), ingress: api(log.clone()) };
    let report = stop(testing::start(plan).unwrap()).await;
    let outcome = |name| report.member(name).unwrap().outcome.clone();
    assert_eq!(outcome("hangs"), Outcome::TimedOut);
    assert_eq!(outcome("panics"), Outcome::Panicked(String::from("no registry here")));
    assert_eq!(outcome("fails"), Outcome::Failed(String::from("the registry does not answer")));
    assert_eq!(outcome("api"), Outcome::Completed);
    assert_eq!(log.lines(), ["api told after 2000 ms"], "{report}");
    assert_eq!(report.exit_code(), 1);
}

/// A hook inside a part belongs to the one drain that there is.
#[shutdown_plan(part)]
struct Mesh {
    last: api,
    registry: deregister,
}

#[shutdown_plan(budget = "30s")]
struct WithPart {
    first: api,
    mesh: Option<Mesh>,
    storage: Resource<Db>,
}

#[tokio::test(start_paused = true)]
async fn those_in_parts_run_then_too() {
    let log = Log::default();
    let db = Resource::new(Db(log.clone()));
    let mesh = Mesh { last: api(log.clone()), registry: deregister(&db, log.clone()) };
    let plan = WithPart { first: api(log.clone()), mesh: Some(mesh), storage: db };
    let report = stop(testing::start(plan).unwrap()).await;
    assert!(report.is_clean(), "{report}");
    assert_eq!((told(&report, "deregister"), told(&report, "api")), (0, 3_000));
    assert_eq!(log.lines().iter().filter(|line| *line == "deregistered").count(), 1);
}

#[background_task]
async fn probes(out: oneshot::Sender<Readiness>, shutdown: Shutdown) {
    let _ = out.send(shutdown.readiness());
    shutdown.requested().await;
}

#[shutdown_hook(at = "drain")]
async fn asks(log: Log, shutdown: Shutdown) {
    log.add(format!("ready at the drain: {}", shutdown.readiness().is_ready()));
}

#[shutdown_plan(budget = "30s", lame_duck = "2s", readiness = "after-lame-duck")]
struct LastOne {
    only: probes,
    hook: asks,
}

#[tokio::test(start_paused = true)]
async fn where_readiness_outlives_the_window_they_run_first_all_the_same() {
    let log = Log::default();
    let (sender, receiver) = oneshot::channel();
    let running = testing::start(LastOne { only: probes(sender), hook: asks(log.clone()) }).unwrap();
    let readiness = receiver.await.unwrap();
    running.handle().request("a button");
    let report = running.stopped().await;
    assert_eq!(log.lines(), ["ready at the drain: true"]);
    assert_eq!(told(&report, "probes"), 2_000);
    assert!(!readiness.is_ready());
}

#[test]
fn the_graph_says_so_in_every_form() {
    let graph = Service::graph();
    let text = graph.text();
    assert!(text.contains("hook `deregister` 4s, at the drain, uses Db"), "{text}");
    assert!(text.contains("hook `leave` 1s\n"), "{text}");
    // `announce` takes its default of 5 s, and no phase has either.
    let sum =
        "pre_stop 10s + at the drain 5s + lame_duck 2s + longest path 10s + margin 2s = 29s of 60s, 31s left";
    assert!(text.contains(sum), "{text}");
    assert!(graph.mermaid().contains("deregister (4s, at the drain)"), "{}", graph.mermaid());
    assert!(graph.dot().contains("announce (5s, at the drain)"), "{}", graph.dot());
    let json = graph.json();
    assert!(json.contains("\"at_drain_ms\":5000"), "{json}");
    assert!(
        json.contains(
            "\"name\":\"deregister\",\"kind\":\"hook\",\"budget_ms\":4000,\"unit_ms\":null,\"at_drain\":true"
        ),
        "{json}"
    );
    assert!(json.contains("\"name\":\"registry\",\"budget_ms\":0"), "{json}");
}
