//! Every attribute with `crate = path`, in a crate that has no `shutdown_runtime`.

use drain::{
    Lease, Resource, Shutdown, Uses, background_task, resource, shutdown_hook, shutdown_order, shutdown_plan,
};

/// A resource.
#[derive(Debug)]
#[resource(crate = drain, close = async |_: &Db| ())]
pub struct Db(u32);

/// A resource that closes by its trait.
#[derive(Debug)]
#[resource(crate = ::drain, budget = "1s")]
pub struct Cache {
    db: Lease<Db>,
}

impl drain::Close for Cache {
    type Error = std::convert::Infallible;

    async fn close(&self, _: drain::Closing) -> Result<(), Self::Error> {
        let _ = self.db.0;
        Ok(())
    }
}

#[derive(Clone, Uses)]
#[uses(crate = drain)]
struct App {
    db: Lease<Db>,
}

#[shutdown_order(crate = drain, before = relay)]
#[background_task(crate = drain)]
async fn http_api(app: App, shutdown: Shutdown) {
    shutdown.requested().await;
    let _ = app.db.0;
}

/// Relays.
#[background_task(crate = drain, every = "1s", batch = 5, per_item = "1ms")]
pub async fn relay(db: &Db, app: Vec<u8>, seen: &mut u32) {
    *seen += db.0;
    std::future::ready(app).await;
}

/// Leaves.
#[shutdown_hook(crate = drain)]
pub async fn leave(cache: &Cache) {
    let _ = std::future::ready(cache.db.0).await;
}

/// A part.
#[derive(Debug)]
#[shutdown_plan(crate = drain, part)]
pub struct Workers {
    relay: relay,
    leave: Option<leave>,
}

/// The plan.
#[derive(Debug)]
#[shutdown_plan(crate = drain, budget = "60s")]
pub struct Service {
    ingress: http_api,
    workers: Workers,
    cache: Resource<Cache>,
    storage: Resource<Db>,
}

/// The plan's values.
pub fn assemble() -> Service {
    let db = Resource::new(Db(1));
    let cache = Resource::new(Cache { db: db.lease() });
    Service {
        ingress: http_api(App { db: db.lease() }),
        workers: Workers { relay: relay(&db, Vec::new(), 0), leave: Some(leave(&cache)) },
        cache,
        storage: db,
    }
}

mod entry {
    #[drain::main(crate = drain)]
    #[allow(dead_code, clippy::unused_async)]
    async fn main() -> super::Service {
        super::assemble()
    }
}
