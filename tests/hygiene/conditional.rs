//! Conditions that come through `cfg_attr`, on fields and parameters: rustc shows them to an attribute as written.

use shutdown_runtime::{Lease, Resource, Shutdown, background_task, resource, shutdown_plan};

#[resource(close = async |_: &Db| ())]
struct Db(u32);

#[resource(close = async |_: &Cache| ())]
struct Cache {
    #[cfg_attr(all(), cfg(any()))]
    gone: Lease<Missing>,
    #[cfg_attr(any(), cfg(any()))]
    db: Lease<Db>,
}

/// Both leases stand one place further up than they are written.
#[resource(close = async |_: &Moved| ())]
struct Moved(#[cfg(any())] Missing, #[cfg(not(any()))] Lease<Db>, Lease<Db>);

#[background_task(every = "1s")]
async fn relay(
    #[cfg_attr(all(), cfg(any()))] gone: &Missing,
    #[cfg_attr(all(), cfg(all()))] db: &Db,
    #[cfg_attr(all(), cfg_attr(all(), cfg(any())))] state: &mut Missing,
    #[cfg_attr(all(), cfg(any()))] plain: Missing,
    #[cfg_attr(all(), cfg(any()))] shutdown: Shutdown,
) {
    assert_eq!(db.0, 1);
}

#[background_task(every = std::time::Duration::from_secs(u64::from(whole.0)))]
async fn sees(whole @ Db(_): &Db) {
    assert_eq!(whole.0, 1);
}

#[background_task]
async fn watches(
    #[cfg_attr(all(), cfg(any()))] gone: Shutdown,
    #[cfg_attr(any(), cfg(any()))] shutdown: Shutdown,
) {
    shutdown.requested().await;
}

#[shutdown_plan(budget = "60s")]
struct Service {
    relay: (relay, sees, watches),
    #[cfg_attr(all(), cfg(any()), phase(budget = "7s"))]
    gone: Missing,
    cache: Resource<Cache>,
    moved: Resource<Moved>,
    storage: Resource<Db>,
}

#[test]
fn what_is_compiled_out_through_cfg_attr_is_gone() {
    let db = Resource::new(Db(1));
    let service = Service {
        relay: (relay(&db), sees(&db), watches()),
        cache: Resource::new(Cache { db: db.lease() }),
        moved: Resource::new(Moved(db.lease(), db.lease())),
        storage: db,
    };
    drop(service);
    let graph = Service::graph().to_string();
    assert!(graph.contains("uses Db") && !graph.contains("Missing"), "{graph}");
}

/// Were a lease not reached at its place, the start would refuse it.
#[tokio::test]
async fn fields_that_moved_up_are_reached() {
    #[shutdown_plan(budget = "60s")]
    struct Small {
        moved: Resource<Moved>,
        storage: Resource<Db>,
    }
    let db = Resource::new(Db(1));
    let small = Small { moved: Resource::new(Moved(db.lease(), db.lease())), storage: db };
    let running = small.start().expect("every lease is reached");
    drop(running);
}
