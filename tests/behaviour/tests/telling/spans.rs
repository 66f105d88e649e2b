//! A span for the stop, for each phase and each member, and what is written in them.

use std::time::Duration;

use shutdown_runtime::{
    Outcome, Resource, Shutdown, background_task, resource, shutdown_hook, shutdown_plan, testing,
};
use tokio::time::sleep;
use tracing::span::{Attributes, Id};
use tracing::{Level, Subscriber};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt as _};

use crate::collected::listen;

#[resource(close = close_store)]
struct Store;

async fn close_store(_: &Store) {
    tracing::info!("the store's own line");
}

#[shutdown_hook]
async fn farewell() {
    tracing::info!("the hook's own line");
}

#[background_task]
async fn worker(_store: &Store, shutdown: Shutdown) {
    shutdown.requested().await;
    tracing::info!("the task's own line");
}

#[background_task]
async fn inner(shutdown: Shutdown) {
    shutdown.requested().await;
    sleep(Duration::from_millis(1)).await;
}

#[shutdown_plan(part)]
struct Inside {
    deep: inner,
}

#[shutdown_plan(budget = "60s")]
struct Service {
    goodbye: farewell,
    work: worker,
    part: Inside,
    storage: Resource<Store>,
}

fn service() -> Service {
    let store = Resource::new(Store);
    Service { goodbye: farewell(), work: worker(&store), part: Inside { deep: inner() }, storage: store }
}

const STOP: &str = "shutdown{plan=Service}";

#[tokio::test(start_paused = true)]
async fn a_clean_stop_writes_nothing_above_info_and_each_line_in_its_span() {
    let collected = listen();
    let running = testing::start(service()).unwrap();
    sleep(Duration::from_millis(1)).await;
    running.handle().request_now("the test");
    let report = running.stopped().await;
    assert!(report.is_clean(), "{report}");

    let lines = collected.lines();
    assert!(lines.iter().all(|line| line.level >= Level::INFO), "{lines:#?}");
    let written: Vec<_> = lines.iter().map(|line| (line.message.as_str(), line.spans.join(" > "))).collect();
    let phase = |name: &str| format!("{STOP} > phase{{name={name}}}");
    let member =
        |at: &str, kind: &str, name: &str| format!("{} > member{{kind={kind}, name={name}}}", phase(at));
    let deep = format!("{} > phase{{name=deep}}", phase("part"));
    assert_eq!(
        written,
        [
            ("shutdown begins", STOP.to_owned()),
            ("phase begins", phase("goodbye")),
            ("the hook's own line", member("goodbye", "hook", "farewell")),
            ("stopped", member("goodbye", "hook", "farewell")),
            ("phase is over", phase("goodbye")),
            ("phase begins", phase("work")),
            ("the task's own line", "member{name=worker}".to_owned()),
            ("stopped", member("work", "task", "worker")),
            ("phase is over", phase("work")),
            ("phase begins", phase("part")),
            ("phase begins", deep.clone()),
            ("stopped", format!("{deep} > member{{kind=task, name=inner}}")),
            ("phase is over", deep),
            ("phase is over", phase("part")),
            ("phase begins", phase("storage")),
            ("the store's own line", member("storage", "resource", "Store")),
            ("stopped", member("storage", "resource", "Store")),
            ("phase is over", phase("storage")),
            ("shutdown is over", STOP.to_owned()),
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn the_first_line_says_why_and_how_long_and_the_last_what_became_of_everyone() {
    let collected = listen();
    let running = testing::start(service()).unwrap();
    sleep(Duration::from_millis(1)).await;
    running.handle().request_now("the test");
    running.stopped().await;
    let lines = collected.lines();
    let (first, last) = (lines.first().unwrap(), lines.last().unwrap());
    assert_eq!(first.field("plan"), "Service");
    assert_eq!(first.field("reason"), "requested: the test");
    assert_eq!(first.field("time"), "58s", "the budget without the margin");
    assert_eq!(
        last.field("members"),
        "farewell Completed 0ms, worker Completed 0ms, inner Completed 1ms, Store Completed 0ms"
    );
    assert_eq!(last.field("critical_path"), "goodbye -> work -> part -> storage");
    let worker = &collected.of("worker")[0];
    assert_eq!((worker.field("outcome"), worker.field("elapsed")), ("Completed", "0ns"));
}

/// A subscriber that panics at one kind of moment, as one that writes a line for each span does once its pipe is gone.
struct Hostile(&'static str);

impl<S: Subscriber> Layer<S> for Hostile {
    fn on_new_span(&self, _: &Attributes<'_>, _: &Id, _: Context<'_, S>) {
        assert_ne!(self.0, "new", "the pipe is gone");
    }

    fn on_enter(&self, _: &Id, _: Context<'_, S>) {
        assert_ne!(self.0, "enter", "the pipe is gone");
    }

    fn on_exit(&self, _: &Id, _: Context<'_, S>) {
        assert_ne!(self.0, "exit", "the pipe is gone");
    }

    fn on_close(&self, _: Id, _: Context<'_, S>) {
        assert_ne!(self.0, "close", "the pipe is gone");
    }
}

#[tokio::test(start_paused = true)]
async fn a_subscriber_that_panics_over_spans_costs_no_stop() {
    for moment in ["new", "enter", "exit", "close"] {
        let subscriber = tracing_subscriber::registry().with(Hostile(moment));
        let _guard = tracing::subscriber::set_default(subscriber);
        let running = testing::start(service()).unwrap();
        sleep(Duration::from_millis(1)).await;
        running.handle().request_now("the test");
        let report = running.stopped().await;
        assert!(report.is_clean(), "{moment}: {report}");
        assert_eq!(report.members().filter(|member| member.outcome == Outcome::Completed).count(), 4);
    }
}
