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

/// Leases of other crates, by the name of ours.
mod elsewhere {
    use std::marker::PhantomPinned;

    pub(super) struct Lease<T>(pub(super) T);

    pub(super) mod pinned {
        pub(crate) struct Lease<T>(pub(crate) T, pub(crate) super::PhantomPinned);
    }

    pub(super) mod holding {
        #[derive(shutdown_runtime::Uses)]
        pub(crate) struct Lease<T: shutdown_runtime::ResourceSpec>(pub(crate) shutdown_runtime::Lease<T>);
    }
}

#[background_task]
async fn leases_of_others(
    plain: elsewhere::Lease<u8>,
    held: elsewhere::holding::Lease<Db>,
    shutdown: Shutdown,
) {
    shutdown.requested().await;
    let _ = (plain.0, &held.0);
}

#[background_task(uses())]
async fn pinned_lease_of_others(pinned: elsewhere::pinned::Lease<u8>, shutdown: Shutdown) {
    shutdown.requested().await;
    let _ = (pinned.0, pinned.1);
}

#[test]
fn a_lease_of_another_crate_is_none_of_ours() {
    let db = Resource::new(Db);
    let leases = leases_of_others(elsewhere::Lease(1), elsewhere::holding::Lease(db.lease()));
    drop(leases);
    drop(pinned_lease_of_others(elsewhere::pinned::Lease(1, std::marker::PhantomPinned)));
}
