//! The service's items, each of a different kind.

use core::convert::Infallible;
use core::future;
use core::time::Duration;
use std::io;
use std::sync::Arc;

use shutdown_runtime::{
    Close, Closing, Lease, Shutdown, Uses, background_task, resource, shutdown_hook, shutdown_order,
};

/// A resource that closes by a path.
#[derive(Debug)]
#[resource(close = close_db, budget = "2s")]
pub struct Db(pub u32);

/// Closes it.
async fn close_db(db: &Db) -> io::Result<()> {
    future::ready(db.0).await;
    return Ok(());
}

/// A resource that closes by its trait, and holds a lease.
#[derive(Debug)]
#[resource]
pub struct Cache {
    /// What it caches.
    pub db: Lease<Db>,
}

impl Close for Cache {
    type Error = Infallible;

    #[inline]
    async fn close(&self, closing: Closing) -> Result<(), Self::Error> {
        future::ready(closing.time_left()).await;
        return Ok(());
    }
}

/// What handlers share.
#[derive(Clone, Debug, Uses)]
pub struct App {
    /// A handle.
    pub db: Lease<Db>,
    /// Another.
    pub cache: Arc<Lease<Cache>>,
    /// No handle.
    pub title: String,
}

/// A task that watches the stop.
///
/// # Errors
///
/// Never.
#[background_task(budget = "5s", on_exit = "continue")]
#[inline]
pub async fn http_api(app: App, shutdown: Shutdown) -> io::Result<()> {
    shutdown.requested().await;
    drop(app);
    return Ok(());
}

/// A periodic task with a state.
///
/// # Errors
///
/// Never.
#[shutdown_order(after = http_api)]
#[background_task(every = Duration::from_millis(*millis), on_error = "log")]
#[inline]
pub async fn relay(db: &Db, millis: u64, seen: &mut u32) -> io::Result<()> {
    *seen = seen.saturating_add(db.0);
    future::ready(millis).await;
    return Ok(());
}

/// A generic task.
#[background_task(stop = "drop")]
#[inline]
pub async fn generic<S>(state: S)
where
    S: Clone + Unpin + Send + 'static,
{
    future::ready(state).await;
}

/// A hook.
#[shutdown_hook]
#[inline]
pub async fn leave(cache: &Cache) {
    future::ready(cache.db.0).await;
}

/// Named as no function should be; the type of that name is none of the user's.
#[background_task(every = "1s")]
#[expect(non_snake_case, clippy::unused_async, reason = "a name of another team's")]
#[inline]
pub async fn Sweep() {}

/// In no plan, and known to be.
#[background_task(every = "1s")]
#[expect(dead_code, reason = "stands in a plan from the next release on")]
#[expect(clippy::unused_async, reason = "nothing to wait for")]
async fn later() {}

/// What only this module can name.
#[derive(Clone, Copy, Debug)]
struct Private;

/// A private type in a public signature is said once, where the signature stands.
#[background_task(every = "1s")]
#[expect(private_interfaces, clippy::unused_async, reason = "a test of one expectation for two functions")]
#[inline]
pub async fn private_argument(argument: Private) {
    let _: Private = argument;
}

/// A lifetime with a name is one of the function as written, not of its call.
#[background_task(every = "1s")]
#[expect(clippy::unused_async, reason = "nothing to wait for")]
#[inline]
pub async fn compare<'lent>(db: &'lent Db, cache: &'lent Cache) {
    let _: &'lent u32 = if db.0 == 0 { &db.0 } else { &cache.db.0 };
}
