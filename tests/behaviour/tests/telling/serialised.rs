//! The report as JSON: these names and shapes stay.

use std::time::Duration;

use serde_json::{Value, json};
use shutdown_runtime::{
    Lease, Outcome, Resource, Shutdown, background_task, resource, shutdown_hook, shutdown_plan, testing,
};
use tokio::time::sleep;

#[resource(close = close_store, budget = "4s")]
struct Store;

async fn close_store(_: &Store) {
    sleep(Duration::from_secs(1)).await;
}

#[shutdown_hook(budget = "2s")]
async fn leave() {
    sleep(Duration::from_millis(250)).await;
}

#[background_task(budget = "8s")]
async fn worker(_store: &Store, shutdown: Shutdown) {
    shutdown.requested().await;
    shutdown.counter("finished").add(3);
    shutdown.counter("cut").add(0);
    sleep(Duration::from_millis(1_500)).await;
}

#[shutdown_plan(budget = "60s", lame_duck = "2s")]
struct Service {
    goodbye: leave,
    work: worker,
    storage: Resource<Store>,
}

#[tokio::test(start_paused = true)]
async fn a_clean_stop_word_for_word() {
    let store = Resource::new(Store);
    let plan = Service { goodbye: leave(), work: worker(&store), storage: store };
    let running = testing::start(plan).unwrap();
    sleep(Duration::from_millis(1)).await;
    running.handle().request("a \"button\"");
    let report = running.stopped().await;
    let json = serde_json::to_value(&report).unwrap();
    let expected = json!({
        "plan": "Service",
        "reason": { "trigger": "requested", "text": "a \"button\"" },
        "clean": true,
        "exit_code": 0,
        "total_seconds": 4.75,
        "granted_seconds": 58.0,
        "taken_up_seconds": 0.0,
        "window_seconds": 2.0,
        "critical_path": ["goodbye", "work", "storage"],
        "phases": [
            {
                "name": "goodbye", "outcome": { "end": "completed" }, "began_seconds": 2.0,
                "duration_seconds": 0.25, "budget_seconds": 2.0, "slack_seconds": 1.75, "critical": true,
                "members": [{
                    "name": "leave", "kind": "hook", "outcome": { "end": "completed" }, "told_seconds": 2.0,
                    "duration_seconds": 0.25, "budget_seconds": 2.0, "limit_seconds": 2.0, "slack_seconds": 1.75,
                    "holders": [], "units_over_limit": 0, "counters": {}
                }]
            },
            {
                "name": "work", "outcome": { "end": "completed" }, "began_seconds": 2.25,
                "duration_seconds": 1.5, "budget_seconds": 8.0, "slack_seconds": 6.5, "critical": true,
                "members": [{
                    "name": "worker", "kind": "task", "outcome": { "end": "completed" }, "told_seconds": 2.25,
                    "duration_seconds": 1.5, "budget_seconds": 8.0, "limit_seconds": 8.0, "slack_seconds": 6.5,
                    "holders": [], "units_over_limit": 0, "counters": { "finished": 3, "cut": 0 }
                }]
            },
            {
                "name": "storage", "outcome": { "end": "completed" }, "began_seconds": 3.75,
                "duration_seconds": 1.0, "budget_seconds": 4.0, "slack_seconds": 3.0, "critical": true,
                "members": [{
                    "name": "Store", "kind": "resource", "outcome": { "end": "completed" }, "told_seconds": 3.75,
                    "duration_seconds": 1.0, "budget_seconds": 4.0, "limit_seconds": 4.0, "slack_seconds": 3.0,
                    "holders": [], "units_over_limit": 0, "counters": {}
                }]
            }
        ]
    });
    assert_eq!(json, expected, "{json:#}");
}

#[resource(close = close_broken, budget = "2s")]
struct Broken;

async fn close_broken(_: &Broken) -> Result<(), String> {
    Err("two records were not flushed".to_owned())
}

#[background_task]
async fn fine(shutdown: Shutdown) {
    shutdown.requested().await;
}

/// Its panic may have to print a backtrace.
#[background_task]
async fn exploding(shutdown: Shutdown) {
    shutdown.requested().await;
    panic!("at the very end");
}

/// Blocks its thread, so that nothing can end it.
#[background_task(budget = "100ms")]
async fn blocking(shutdown: Shutdown) {
    shutdown.requested().await;
    std::thread::sleep(Duration::from_secs(2));
}

#[background_task(stop = "drop")]
async fn careless() {
    std::future::pending::<()>().await;
}

#[background_task(budget = "1s")]
async fn leaky(broken: Lease<Broken>, shutdown: Shutdown) {
    shutdown.requested().await;
    std::mem::forget(broken);
}

#[shutdown_plan(part)]
struct Inside {
    deep: exploding,
}

#[shutdown_plan(budget = "60s")]
struct Troubled {
    first: (fine, blocking, careless),
    inside: Inside,
    leaks: leaky,
    storage: Resource<Broken>,
}

/// Members' names with their outcomes.
fn outcomes(phase: &Value) -> Vec<Value> {
    let members = phase["members"].as_array().unwrap();
    members.iter().map(|member| json!([member["name"], member["outcome"]])).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn every_kind_of_end_is_a_tagged_object() {
    let broken = Resource::new(Broken);
    let (place, lease) = (line!(), broken.lease());
    let plan = Troubled {
        first: (fine(), blocking(), careless()),
        inside: Inside { deep: exploding() },
        leaks: leaky(lease),
        storage: broken,
    };
    let running = testing::start(plan).unwrap();
    running.handle().request_now("the test");
    let json = serde_json::to_value(running.stopped().await).unwrap();
    assert_eq!((&json["clean"], &json["exit_code"]), (&json!(false), &json!(1)), "{json:#}");
    let phases = json["phases"].as_array().unwrap();
    let names: Vec<_> = phases.iter().map(|phase| &phase["name"]).collect();
    assert_eq!(names, ["first", "inside", "inside/deep", "leaks", "storage"], "{json:#}");
    assert_eq!(
        outcomes(&phases[0]),
        [
            json!(["fine", { "end": "completed" }]),
            json!(["blocking", { "end": "abandoned" }]),
            json!(["careless", { "end": "dropped" }]),
        ]
    );
    // A phase is as bad as its worst member, also one in a part below it.
    assert_eq!(phases[0]["outcome"], json!({ "end": "abandoned" }));
    let panicked = json!({ "end": "panicked", "text": "at the very end" });
    assert_eq!((&phases[1]["outcome"], &phases[2]["outcome"]), (&panicked, &panicked));
    assert_eq!(outcomes(&phases[2]), [json!(["exploding", panicked])]);
    let lost = json!([{ "resource": "Broken", "member": "leaky", "file": file!(), "line": phases[3]["members"][0]["holders"][0]["line"] }]);
    assert_eq!(outcomes(&phases[3]), [json!(["leaky", { "end": "leaked", "holders": lost }])]);
    assert_eq!(phases[3]["members"][0]["holders"], lost);
    assert!(lost[0]["line"].as_u64().unwrap() >= u64::from(place), "{lost}");
    assert_eq!(
        outcomes(&phases[4]),
        [json!(["Broken", { "end": "failed", "text": "two records were not flushed" }])]
    );
    assert_eq!(phases[4]["members"][0]["holders"], lost, "it was closed under the lease");
}

#[background_task(budget = "1s")]
async fn failing(what: &'static str, shutdown: Shutdown) -> Result<(), String> {
    shutdown.sleep(Duration::from_secs(1)).await;
    match what {
        "fail" => Err("the disk is gone".to_owned()),
        _ => panic!("boom"),
    }
}

#[background_task(budget = "1s", on_exit = "shutdown", stop = "drop")]
async fn finishing() {}

#[background_task(budget = "1s", on_exit = "continue", stop = "drop")]
async fn one_off() {}

#[shutdown_plan(budget = "30s")]
struct Reasons {
    one: (Option<failing>, Option<finishing>, Option<one_off>),
}

#[tokio::test(start_paused = true)]
async fn every_reason_is_a_tagged_object() {
    let reason = async |one| {
        let report = testing::start(Reasons { one }).unwrap().stopped().await;
        serde_json::to_value(&report.reason).unwrap()
    };
    assert_eq!(
        reason((Some(failing("fail")), None, None)).await,
        json!({ "trigger": "failed", "task": "failing", "text": "the disk is gone" })
    );
    assert_eq!(
        reason((Some(failing("panic")), None, None)).await,
        json!({ "trigger": "panicked", "task": "failing", "text": "boom" })
    );
    assert_eq!(
        reason((None, Some(finishing()), None)).await,
        json!({ "trigger": "finished", "task": "finishing" })
    );
    assert_eq!(reason((None, None, Some(one_off()))).await, json!({ "trigger": "all_ended" }));
    // What only a stop before the start, an overrun under a real clock, and a forced end, come to.
    for (outcome, end) in [
        (Outcome::NotStarted, "not_started"),
        (Outcome::TimedOut, "timed_out"),
        (Outcome::Unknown, "unknown"),
    ] {
        assert_eq!(serde_json::to_value(outcome).unwrap(), json!({ "end": end }));
    }
    let signal = shutdown_runtime::Reason::Signal(shutdown_runtime::Signal::Terminate);
    assert_eq!(serde_json::to_value(signal).unwrap(), json!({ "trigger": "signal", "signal": "SIGTERM" }));
}
