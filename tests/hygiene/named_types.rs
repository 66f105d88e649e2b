//! `type = Name`: a task may have the name of a module or of a crate, and its type another.

use shutdown_runtime::{
    Lease, Resource, Shutdown, background_task, resource, shutdown_hook, shutdown_order, shutdown_plan,
};

#[resource(close = async |_: &Db| ())]
struct Db(u32);

mod outbox_relay {
    /// What the module of the task's name is for.
    pub(super) const BATCH: u32 = 50;
}

/// Publishes a batch.
#[background_task(every = "1s", type = OutboxRelay)]
async fn outbox_relay(db: &Db) {
    assert!(outbox_relay::BATCH > db.0);
}

#[shutdown_order(after = OutboxRelay)]
#[background_task(type = Mailer, stop = "input")]
async fn mailer<T: Send + Unpin + 'static>(_: T, _db: Lease<Db>) {}

#[shutdown_hook(type = Leave)]
async fn std() {}

#[shutdown_plan(budget = "60s")]
struct Service {
    relay: OutboxRelay,
    mailer: Mailer<u8>,
    leave: Leave,
    storage: Resource<Db>,
}

#[test]
fn the_type_has_its_own_name_and_the_task_keeps_the_functions() {
    let graph = Service::graph().to_string();
    assert!(graph.contains("task `outbox_relay` 10s"), "{graph}");
    assert!(graph.contains("declared after OutboxRelay"), "{graph}");
    let db = Resource::new(Db(7));
    let service =
        Service { relay: outbox_relay(&db), mailer: mailer(1_u8, db.lease()), leave: std(), storage: db };
    drop(service);
}

#[background_task(type = Looks)]
async fn looks(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[tokio::test]
async fn the_function_as_written_is_under_the_types_name() {
    OutboxRelay::body(&Db(7)).await;
    let _ = (looks, Looks::body);
}
