//! The service's plan.

use std::sync::Arc;

use shutdown_runtime::{Resource, shutdown_plan};

use crate::items::{App, Cache, Db, generic, http_api, leave, relay};

/// A part.
#[derive(Debug)]
#[shutdown_plan(part)]
pub struct Workers {
    /// Its work.
    pub relay: Vec<relay>,
    /// Its end.
    pub leave: Option<leave>,
}

/// The plan.
#[derive(Debug)]
#[shutdown_plan(budget = "60s", pre_stop = "5s", lame_duck = "1s")]
pub struct Service {
    /// What takes requests.
    pub ingress: (http_api, generic<u8>),
    /// What works behind it.
    #[phase(budget = "15s")]
    pub workers: Workers,
    /// What closes first.
    pub cache: Resource<Cache>,
    /// What closes last.
    #[shutdown_order(after = [cache, workers])]
    pub storage: Resource<Db>,
}

/// The plan's values.
#[inline]
pub fn assemble() -> Service {
    let db = Resource::new(Db(1));
    let cache = Resource::new(Cache { db: db.lease() });
    let app = App { db: db.lease(), cache: Arc::new(cache.lease()), title: String::new() };
    return Service {
        ingress: (http_api(app), generic(1)),
        workers: Workers { relay: vec![relay(&db, 500, 0)], leave: Some(leave(&cache)) },
        cache,
        storage: db,
    };
}

#[cfg(test)]
mod entry {
    /// Under the same lints.
    #[shutdown_runtime::main(worker_threads = 2)]
    pub(super) async fn main() -> super::Service {
        return core::future::ready(super::assemble()).await;
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn it_is_laid_out_whole() {
        let _: fn() -> std::process::ExitCode = super::entry::main;
        assert!(super::Service::graph().to_string().contains("storage"));
    }
}
