//! What a library offers to the plans of others: a resource, a task that uses it, and a part that holds both.
//!
//! Its next version (the package in `next`) is the same text: the same names at the same places.

use shutdown_runtime::{Resource, Shutdown, background_task, resource, shutdown_plan};

/// A resource.
#[derive(Debug)]
#[resource(close = async |_: &Db| ())]
pub struct Db(pub u32);

/// A task that uses it.
#[background_task]
pub async fn relay(db: &Db, shutdown: Shutdown) {
    shutdown.requested().await;
    let _ = db.0;
}

/// A part that leaves the closing to its parent.
#[derive(Debug)]
#[shutdown_plan(part)]
pub struct Workers {
    /// Its only phase.
    pub relay: relay,
}

/// A part that closes what it uses.
#[derive(Debug)]
#[shutdown_plan(part)]
pub struct Whole {
    /// Its user.
    pub relay: relay,
    /// Its resource.
    pub storage: Resource<Db>,
}
