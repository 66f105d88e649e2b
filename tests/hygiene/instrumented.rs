//! `#[tracing::instrument]` above and below: the body runs in a span of the function's name.
#![allow(dead_code, clippy::unused_async)]

use std::sync::{Arc, Mutex};

use shutdown_runtime::{Resource, Shutdown, background_task, resource, shutdown_hook, shutdown_plan};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber, instrument};

#[resource(close = async |_: &Db| ())]
struct Db(u32);

#[background_task(every = "1s")]
#[tracing::instrument(skip(db), fields(rows = db.0), err)]
async fn below(db: &Db, topic: String, seen: &mut u32) -> Result<(), std::io::Error> {
    *seen += db.0;
    let _ = topic;
    Ok(())
}

#[instrument(level = "info", skip_all)]
#[background_task]
async fn above(db: &Db, shutdown: Shutdown) {
    shutdown.requested().await;
    let _ = db.0;
}

#[cfg_attr(all(), instrument)]
#[background_task]
#[shutdown_runtime::shutdown_order(after = above)]
async fn conditional(n: u32, shutdown: Shutdown) {
    let _ = n;
    shutdown.requested().await;
}

#[background_task(every = "1s")]
#[instrument(name = "another name")]
async fn r#loop() {}

#[shutdown_hook]
#[instrument]
async fn sign_off() {}

#[derive(Debug)]
#[shutdown_plan(budget = "60s")]
struct Service {
    above: above,
    others: (below, conditional, r#loop, sign_off),
    storage: Resource<Db>,
}

/// Notes the names of the spans that are made while it is the subscriber.
#[derive(Clone, Default)]
struct Spans(Arc<Mutex<Vec<&'static str>>>);

impl Subscriber for Spans {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        self.0.lock().expect("no test panics with it").push(span.metadata().name());
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn event(&self, _: &Event<'_>) {}
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

#[tokio::test]
async fn a_span_has_the_name_of_the_function() {
    let spans = Spans::default();
    let kept = tracing::subscriber::set_default(spans.clone());
    below::body(&Db(1), String::new(), &mut 0).await.expect("it returns `Ok`");
    r#loop::body().await;
    sign_off::body().await;
    drop(kept);
    assert_eq!(*spans.0.lock().expect("no test panics with it"), ["below", "another name", "sign_off"]);
}
