//! Type, const and lifetime parameters, where clauses and `impl Trait`.
#![allow(dead_code, clippy::unused_async)]

use std::fmt::Display;
use std::sync::Arc;

use shutdown_runtime::{
    Lease, Resource, ResourceSpec, Shutdown, Uses, background_task, resource, shutdown_plan,
};

#[resource(close = async |_: &Db| ())]
struct Db(u32);

#[derive(Clone, Uses)]
struct App<S: Unpin> {
    db: Lease<Db>,
    extra: S,
}

#[background_task(every = "1s")]
async fn over_types<T, const N: usize>(values: [T; N], app: App<T>)
where
    T: Clone + Display + Unpin + Send + Sync + 'static,
{
    let _ = (values.len(), app.extra.to_string(), app.db.0);
}

#[background_task]
async fn over_uses<U: Uses + Send + 'static>(holder: U, shutdown: Shutdown) {
    shutdown.requested().await;
    drop(holder);
}

#[background_task]
async fn over_resources<R: ResourceSpec>(resource: &R, shutdown: Shutdown) {
    shutdown.requested().await;
    let _ = resource;
}

#[background_task]
async fn lifetimes<'a, 'b: 'a>(first: &'a Db, second: &'b Db, shutdown: Shutdown)
where
    'b: 'a,
{
    shutdown.requested().await;
    let _ = (first.0, second.0);
}

#[background_task]
async fn opaque(
    act: impl Fn() + Send + Sync + Unpin + 'static,
    shared: Arc<dyn Display + Send + Sync>,
    shutdown: Shutdown,
) {
    shutdown.requested().await;
    act();
    let _ = shared.to_string();
}

#[derive(Debug)]
#[shutdown_plan(budget = "90s")]
struct Service {
    types: over_types<u8, 2>,
    uses: over_uses<Option<Lease<Db>>>,
    resources: over_resources<Db>,
    lifetimes: lifetimes,
    opaque: opaque,
    storage: Resource<Db>,
}

#[test]
fn what_a_type_argument_holds_is_seen() {
    let db = Resource::new(Db(1));
    let app = App { db: db.lease(), extra: 1_u8 };
    let plan = Service {
        types: over_types([1, 2], app),
        uses: over_uses(Some(db.lease())),
        resources: over_resources(&db),
        lifetimes: lifetimes(&db, &db),
        opaque: opaque(|| (), Arc::new(1)),
        storage: db,
    };
    assert!(format!("{plan:?}").contains("over_uses"));
    let graph = Service::graph().to_string();
    let users = graph.lines().filter(|line| line.contains("task") && line.contains("Db")).count();
    assert_eq!(users, 4, "{graph}");
}
