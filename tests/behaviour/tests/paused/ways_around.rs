//! Ways round the plan that only a running program can show; `docs/ways-around.md` lists all of them.

use std::sync::{Arc, Mutex};

use shutdown_runtime::{
    Lease, Outcome, Report, Resource, Shutdown, background_task, resource, shutdown_plan, testing,
};
use tokio::sync::mpsc;

use crate::support::{Db, Log, stop};

/// Where a task leaves its lease.
#[derive(Clone, Debug)]
enum Place {
    Channel(mpsc::Sender<Lease<Db>>),
    Nowhere,
    Thread,
}

#[background_task(budget = "2s", uses(Db))]
async fn gives_away(db: Lease<Db>, place: Place, shutdown: Shutdown) {
    shutdown.requested().await;
    let db = db.clone();
    match place {
        Place::Channel(sender) => drop(sender.try_send(db)),
        Place::Nowhere => std::mem::forget(db),
        Place::Thread => {
            std::thread::spawn(move || {
                let _db = db;
                std::thread::park_timeout(std::time::Duration::from_secs(20));
            });
        }
    }
}

#[shutdown_plan(budget = "30s")]
struct Giving {
    first: gives_away,
    storage: Resource<Db>,
}

async fn given(place: Place) -> Report {
    let log = Log::default();
    let db = Resource::new(Db(log.clone()));
    let plan = Giving { first: gives_away(db.lease(), place), storage: db };
    let report = stop(testing::start(plan).unwrap()).await;
    assert_eq!(log.lines(), ["Db closed"], "it closes all the same");
    report
}

#[track_caller]
fn assert_named(report: &Report) {
    let Outcome::Leaked(holders) = &report.member("gives_away").unwrap().outcome else { panic!("{report}") };
    assert_eq!((holders[0].resource, holders[0].member), ("Db", Some("gives_away")));
    assert!(matches!(report.member("Db").unwrap().outcome, Outcome::Leaked(_)), "{report}");
    assert!(report.to_string().contains("ways_around.rs"), "where it was leased\n{report}");
}

#[tokio::test(start_paused = true)]
async fn a_lease_in_a_channel_is_named() {
    let (sender, receiver) = mpsc::channel(1);
    assert_named(&given(Place::Channel(sender)).await);
    drop(receiver);
}

#[tokio::test(start_paused = true)]
async fn a_lease_that_is_forgotten_is_named() {
    assert_named(&given(Place::Nowhere).await);
}

#[tokio::test(start_paused = true)]
async fn a_lease_on_a_thread_is_named() {
    assert_named(&given(Place::Thread).await);
}

/// What a resource wraps; cloneable, as every pool is.
#[derive(Clone, Debug, Default)]
struct Inner(Arc<Mutex<bool>>);

impl Inner {
    fn is_closed(&self) -> bool {
        *self.0.lock().unwrap()
    }
}

#[resource(close = async |leaky: &Leaky| *leaky.0.0.lock().unwrap() = true)]
struct Leaky(Inner);

impl Leaky {
    /// No macro sees that this hands out what the plan closes.
    fn inner(&self) -> Inner {
        self.0.clone()
    }
}

#[background_task(budget = "2s")]
async fn takes_a_clone(leaky: &Leaky, out: mpsc::Sender<Inner>, shutdown: Shutdown) {
    let _ = out.try_send(leaky.inner());
    shutdown.requested().await;
}

#[shutdown_plan(budget = "30s")]
struct Cloning {
    first: takes_a_clone,
    storage: Resource<Leaky>,
}

#[tokio::test(start_paused = true)]
async fn a_clone_that_the_resources_own_module_hands_out_is_beyond_us() {
    let (sender, mut receiver) = mpsc::channel(1);
    let leaky = Resource::new(Leaky(Inner::default()));
    let plan = Cloning { first: takes_a_clone(&leaky, sender), storage: leaky };
    let running = testing::start(plan).unwrap();
    let inner = receiver.recv().await.unwrap();
    let report = stop(running).await;
    assert!(report.is_clean(), "should this ever be caught, `docs/ways-around.md` says too little\n{report}");
    assert!(inner.is_closed(), "and who has the clone meets what is closed");
}
