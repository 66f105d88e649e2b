//! A resource closes when its leases are back, or half its time is over; whoever holds one is named.

use std::sync::{Arc, Mutex};

use shutdown_runtime::{
    Lease, Outcome, Resource, Shutdown, StartError, Uses, background_task, resource, shutdown_plan, testing,
};
use tokio::time::sleep;

use crate::support::{Db, Log, millis, seconds, stop, timed_stop};

#[background_task(budget = "5s")]
async fn detaches(db: Lease<Db>, takes: u64, shutdown: Shutdown) {
    shutdown.requested().await;
    // As `axum::serve` does with its connections: nobody tracks it.
    tokio::spawn(async move {
        sleep(seconds(takes)).await;
        db.0.add("detached done");
    });
}

#[shutdown_plan(budget = "60s")]
struct Detaching {
    first: detaches,
    storage: Resource<Db>,
}

fn detaching(takes: u64, log: &Log) -> Detaching {
    let db = Resource::new(Db(log.clone()));
    Detaching { first: detaches(db.lease(), takes), storage: db }
}

#[tokio::test(start_paused = true)]
async fn a_detached_task_with_a_lease_keeps_its_phase_open() {
    let log = Log::default();
    let report = stop(testing::start(detaching(3, &log)).unwrap()).await;
    assert_eq!(log.lines(), ["detached done", "Db closed"]);
    assert!(report.is_clean(), "{report}");
}

#[tokio::test(start_paused = true)]
async fn one_that_takes_too_long_is_named_and_the_resource_closes_all_the_same() {
    let log = Log::default();
    let (report, elapsed) = timed_stop(testing::start(detaching(100, &log)).unwrap()).await;
    let Outcome::Leaked(holders) = &report.member("detaches").unwrap().outcome else { panic!("{report}") };
    assert_eq!(holders[0].member, Some("detaches"));
    assert_eq!(holders[0].resource, "Db");
    assert!(holders[0].place.file().ends_with("leases.rs"), "where `.lease()` was called");
    assert!(
        matches!(report.member("Db").unwrap().outcome, Outcome::Leaked(_)),
        "closed under a lease\n{report}"
    );
    assert_eq!(log.lines(), ["Db closed"]);
    // 5 s for the task, then half of the 4 s for the lease.
    assert!(elapsed >= seconds(7) && elapsed < millis(7_200), "{elapsed:?}");
    assert_eq!(report.exit_code(), 1);
}

#[derive(Clone, Uses)]
struct App {
    db: Lease<Db>,
    title: &'static str,
}

#[background_task]
async fn serves(app: App, shutdown: Shutdown) {
    shutdown.requested().await;
    app.db.0.add(app.title);
}

#[background_task(budget = "2s")]
async fn shares(app: Arc<App>, shutdown: Shutdown) {
    shutdown.requested().await;
    app.db.0.add(app.title);
}

#[shutdown_plan(budget = "60s")]
struct Serving {
    first: serves,
    second: Vec<shares>,
    storage: Resource<Db>,
}

#[tokio::test(start_paused = true)]
async fn what_uses_reaches_is_accounted_for() {
    let log = Log::default();
    let db = Resource::new(Db(log.clone()));
    let shared = Arc::new(App { db: db.lease(), title: "shared" });
    let plan = Serving {
        first: serves(App { db: db.lease(), title: "own" }),
        second: vec![shares(Arc::clone(&shared)), shares(shared)],
        storage: db,
    };
    let report = stop(testing::start(plan).unwrap()).await;
    assert!(report.is_clean(), "{report}");
    assert_eq!(log.lines(), ["own", "shared", "shared", "Db closed"]);
}

#[background_task]
async fn opaque(work: Box<dyn Fn() + Send + Sync>, shutdown: Shutdown) {
    shutdown.requested().await;
    work();
}

#[background_task(uses(Db))]
async fn declared(work: Box<dyn Fn() + Send + Sync>, shutdown: Shutdown) {
    shutdown.requested().await;
    work();
}

#[shutdown_plan(budget = "60s")]
struct Hidden {
    first: opaque,
    storage: Resource<Db>,
}

#[shutdown_plan(budget = "60s")]
struct Declared {
    first: declared,
    storage: Resource<Db>,
}

#[tokio::test(start_paused = true)]
async fn a_lease_in_a_closure_is_refused_at_the_start_unless_it_is_declared() {
    let log = Log::default();
    let db = Resource::new(Db(log.clone()));
    let lease = db.lease();
    let line = line!() - 1;
    let error = testing::start(Hidden { first: opaque(Box::new(move || lease.0.add("x"))), storage: db })
        .unwrap_err();
    let StartError::UnaccountedLease { resource: "Db", place } = &error else { panic!("{error}") };
    assert_eq!(place.line(), line, "the `.lease()` call is named");
    assert!(error.to_string().contains("uses(Db)"), "{error}");

    let db = Resource::new(Db(log.clone()));
    let lease = db.lease();
    let plan = Declared { first: declared(Box::new(move || lease.0.add("work"))), storage: db };
    assert!(stop(testing::start(plan).unwrap()).await.is_clean());
    assert_eq!(log.lines(), ["work", "Db closed"]);
}

#[tokio::test(start_paused = true)]
async fn a_lease_of_another_instance_is_refused_at_the_start() {
    let (one, other) = (Resource::new(Db(Log::default())), Resource::new(Db(Log::default())));
    let plan = Detaching { first: detaches(one.lease(), 0), storage: other };
    let error = testing::start(plan).unwrap_err();
    assert!(matches!(error, StartError::ForeignLease { member: "detaches", resource: "Db", .. }), "{error}");
}

static PARKED: Mutex<Option<Lease<Db>>> = Mutex::new(None);

#[background_task(budget = "1s")]
async fn parks(db: Lease<Db>, shutdown: Shutdown) {
    *PARKED.lock().unwrap() = Some(db);
    shutdown.requested().await;
}

#[shutdown_plan(budget = "60s")]
struct Parking {
    first: parks,
    storage: Resource<Db>,
}

#[tokio::test(start_paused = true)]
async fn a_lease_in_a_static_is_named() {
    let db = Resource::new(Db(Log::default()));
    let plan = Parking { first: parks(db.lease()), storage: db };
    let running = testing::start(plan).unwrap();
    sleep(millis(1)).await;
    let report = stop(running).await;
    let Outcome::Leaked(holders) = &report.member("parks").unwrap().outcome else { panic!("{report}") };
    assert_eq!(holders[0].member, Some("parks"), "{report}");
    PARKED.lock().unwrap().take();
}

#[resource(close = async |outbox: &Outbox| outbox.db.0.add("Outbox closed"), budget = "2s")]
struct Outbox {
    db: Lease<Db>,
}

#[background_task]
async fn publishes(outbox: &Outbox, shutdown: Shutdown) {
    shutdown.requested().await;
    outbox.db.0.add("published");
}

#[shutdown_plan(budget = "60s")]
struct Layers {
    first: publishes,
    outbox: Resource<Outbox>,
    storage: Resource<Db>,
}

#[tokio::test(start_paused = true)]
async fn a_resource_may_hold_a_lease_of_another() {
    let log = Log::default();
    let db = Resource::new(Db(log.clone()));
    let outbox = Resource::new(Outbox { db: db.lease() });
    let plan = Layers { first: publishes(&outbox), outbox, storage: db };
    let report = stop(testing::start(plan).unwrap()).await;
    assert!(report.is_clean(), "{report}");
    assert_eq!(log.lines(), ["published", "Outbox closed", "Db closed"]);
}

#[shutdown_plan(part)]
struct Shard {
    work: detaches,
    storage: Resource<Db>,
}

#[shutdown_plan(budget = "60s")]
struct Shards {
    all: Vec<Shard>,
}

#[tokio::test(start_paused = true)]
async fn an_instance_that_another_part_closes_is_refused_at_the_start() {
    let log = Log::default();
    let shards = || (Resource::new(Db(log.clone())), Resource::new(Db(log.clone())));
    let (one, other) = shards();
    let crossed = Shards {
        all: vec![
            Shard { work: detaches(other.lease(), 0), storage: one },
            Shard { work: detaches(other.lease(), 0), storage: other },
        ],
    };
    let error = testing::start(crossed).unwrap_err();
    assert!(
        matches!(error, StartError::ClosesTooEarly { member: "detaches", resource: "Db", .. }),
        "{error}"
    );

    let (one, other) = shards();
    let own = Shards {
        all: vec![
            Shard { work: detaches(one.lease(), 0), storage: one },
            Shard { work: detaches(other.lease(), 0), storage: other },
        ],
    };
    assert!(stop(testing::start(own).unwrap()).await.is_clean());
}

#[background_task]
async fn generic<T: Unpin + Send + 'static>(hidden: T, shutdown: Shutdown) {
    shutdown.requested().await;
    drop(hidden);
}

#[shutdown_plan(budget = "60s")]
struct Swapped {
    storage: Resource<Db>,
    first: generic<Arc<App>>,
}

#[tokio::test(start_paused = true)]
async fn what_a_type_parameter_hides_is_refused_at_the_start() {
    let db = Resource::new(Db(Log::default()));
    let app = Arc::new(App { db: db.lease(), title: "hidden" });
    let error = testing::start(Swapped { storage: db, first: generic(app) }).unwrap_err();
    assert!(matches!(error, StartError::UnaccountedLease { resource: "Db", .. }), "{error}");
}

struct Bare {
    db: Lease<Db>,
}

/// Behind an alias no macro sees the type argument, and an `Arc` alone is `Unpin`.
type Shared = Arc<Bare>;

#[background_task]
async fn aliased(bare: Shared, shutdown: Shutdown) {
    shutdown.requested().await;
    bare.db.0.add("used");
}

#[shutdown_plan(budget = "60s")]
struct Aliased {
    storage: Resource<Db>,
    first: aliased,
}

#[tokio::test(start_paused = true)]
async fn what_an_alias_hides_is_refused_at_the_start() {
    let db = Resource::new(Db(Log::default()));
    let bare = Arc::new(Bare { db: db.lease() });
    let error = testing::start(Aliased { storage: db, first: aliased(bare) }).unwrap_err();
    assert!(matches!(error, StartError::UnaccountedLease { resource: "Db", .. }), "{error}");
}
