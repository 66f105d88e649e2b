//! Numbers through the `metrics` crate.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use metrics::{
    Counter, CounterFn, Gauge, GaugeFn, Histogram, HistogramFn, Key, KeyName, Metadata, Recorder,
    SharedString, Unit,
};
use shutdown_runtime::{Resource, Shutdown, background_task, resource, shutdown_plan, testing};
use tokio::time::sleep;

/// Keeps every value that a number took, by its name and labels.
#[derive(Clone, Default)]
struct Kept(Arc<Mutex<BTreeMap<String, Vec<f64>>>>);

impl Kept {
    fn values(&self, key: &str) -> Vec<f64> {
        self.0.lock().unwrap().get(key).cloned().unwrap_or_default()
    }

    fn number(&self, key: &Key) -> Arc<Number> {
        let labels: Vec<_> = key.labels().map(|label| format!("{}={}", label.key(), label.value())).collect();
        Arc::new(Number { key: format!("{}{{{}}}", key.name(), labels.join(",")), kept: self.clone() })
    }
}

struct Number {
    key: String,
    kept: Kept,
}

impl Number {
    fn keep(&self, value: f64) {
        self.kept.0.lock().unwrap().entry(self.key.clone()).or_default().push(value);
    }
}

impl CounterFn for Number {
    fn increment(&self, value: u64) {
        self.keep(f64::from(u32::try_from(value).unwrap()));
    }

    fn absolute(&self, _: u64) {
        unreachable!("only increments");
    }
}

impl GaugeFn for Number {
    fn increment(&self, _: f64) {
        unreachable!("only sets");
    }

    fn decrement(&self, _: f64) {
        unreachable!("only sets");
    }

    fn set(&self, value: f64) {
        self.keep(value);
    }
}

impl HistogramFn for Number {
    fn record(&self, value: f64) {
        self.keep(value);
    }
}

impl Recorder for Kept {
    fn describe_counter(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
    fn describe_gauge(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
    fn describe_histogram(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn register_counter(&self, key: &Key, _: &Metadata<'_>) -> Counter {
        Counter::from_arc(self.number(key))
    }

    fn register_gauge(&self, key: &Key, _: &Metadata<'_>) -> Gauge {
        Gauge::from_arc(self.number(key))
    }

    fn register_histogram(&self, key: &Key, _: &Metadata<'_>) -> Histogram {
        Histogram::from_arc(self.number(key))
    }
}

#[resource(close = close_store, budget = "4s")]
struct Store;

async fn close_store(_: &Store) {
    sleep(Duration::from_secs(1)).await;
}

#[background_task(every = "10s", budget = "10s", unit = "1s")]
async fn relay(_store: &Store) {
    sleep(Duration::from_secs(2)).await;
}

#[background_task(budget = "3s")]
async fn stuck(shutdown: Shutdown) {
    shutdown.requested().await;
    std::future::pending::<()>().await;
}

#[shutdown_plan(budget = "60s")]
struct Service {
    work: (relay, stuck),
    storage: Resource<Store>,
}

#[tokio::test(start_paused = true)]
async fn live_tasks_iterations_units_over_their_limit_and_what_a_stop_took() {
    let kept = Kept::default();
    let _recorder = metrics::set_default_local_recorder(&kept);
    let store = Resource::new(Store);
    let running = testing::start(Service { work: (relay(&store), stuck()), storage: store }).unwrap();
    assert_eq!(kept.values("app_live_tasks{plan=Service}"), [2.0]);
    // Iterations at 0 and 10 s, each over its limit.
    sleep(Duration::from_secs(15)).await;
    assert_eq!(kept.values("app_iteration_duration_seconds{task=relay}"), [2.0, 2.0]);
    assert_eq!(kept.values("app_units_over_limit_total{task=relay}"), [1.0, 1.0]);

    running.handle().request_now("the test");
    sleep(Duration::from_millis(3_500)).await;
    // The first phase is over, the close still runs: a scrape between them sees that much.
    let member = |phase: &str, member: &str, outcome: &str| {
        kept.values(&format!(
            "app_shutdown_member_duration_seconds{{plan=Service,phase={phase},member={member},outcome={outcome}}}"
        ))
    };
    let phase = |phase: &str, outcome: &str| {
        kept.values(&format!(
            "app_shutdown_phase_duration_seconds{{plan=Service,phase={phase},outcome={outcome}}}"
        ))
    };
    assert_eq!(member("work", "relay", "Completed"), [0.0]);
    assert_eq!(member("work", "stuck", "TimedOut"), phase("work", "TimedOut"));
    assert!((phase("work", "TimedOut")[0] - 3.0).abs() < 0.2);
    assert_eq!(kept.values("app_shutdown_duration_seconds{plan=Service}"), phase("work", "TimedOut"));
    assert!(phase("storage", "Completed").is_empty());

    let report = running.stopped().await;
    assert_eq!(member("storage", "Store", "Completed"), [1.0]);
    assert_eq!(phase("storage", "Completed"), [1.0]);
    let total = kept.values("app_shutdown_duration_seconds{plan=Service}");
    assert_eq!(total.last(), Some(&report.total.as_secs_f64()));
    // A task that had to be cut is not alive either.
    assert_eq!(kept.values("app_live_tasks{plan=Service}").last(), Some(&0.0));
}
