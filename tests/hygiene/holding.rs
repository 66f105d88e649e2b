//! What may hold leases and is neither refused nor lost.

use std::collections::HashMap;
use std::sync::Arc;

use shutdown_runtime::{
    Lease, Resource, ResourceSpec, Shutdown, Uses, background_task, resource, shutdown_plan,
};

#[resource(close = async |_: &Db| ())]
struct Db;

/// A resource that itself holds a lease.
#[resource(close = async |_: &Cache| ())]
struct Cache {
    db: Lease<Db>,
}

#[derive(Uses)]
struct App {
    db: Lease<Db>,
    named: (String, Lease<Db>, (u8, Arc<str>)),
}

#[background_task]
async fn takes(
    cache: Lease<Cache>,
    maybe: Option<Lease<Cache>>,
    pair: (Lease<Db>, u16),
    app: (Arc<App>, String),
    many: HashMap<u8, Lease<Cache>>,
    shutdown: Shutdown,
) {
    let _ = (&cache.db, &maybe, &pair.0, &app.0.db, &app.0.named, many.len());
    shutdown.requested().await;
}

#[background_task]
async fn takes_any<T: ResourceSpec>(lease: Lease<T>, shutdown: Shutdown) {
    shutdown.requested().await;
    drop(lease);
}

#[shutdown_plan(budget = "60s")]
struct Service {
    first: (takes, takes_any<Cache>),
    cache: Resource<Cache>,
    db: Resource<Db>,
}

#[tokio::test]
async fn everything_that_is_visible_is_accounted_for() {
    let db = Resource::new(Db);
    let cache = Resource::new(Cache { db: db.lease() });
    let app = App { db: db.lease(), named: (String::new(), db.lease(), (0, Arc::from(""))) };
    let plan = Service {
        first: (
            takes(
                cache.lease(),
                Some(cache.lease()),
                (db.lease(), 1),
                (Arc::new(app), String::new()),
                HashMap::from([(1, cache.lease())]),
            ),
            takes_any(cache.lease()),
        ),
        cache,
        db,
    };
    let running = plan.start().expect("every lease is accounted for");
    running.handle().request_now("the test");
    let report = running.stopped().await;
    assert!(report.is_clean(), "{report}");
}
