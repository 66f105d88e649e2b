//! A module without the prelude: nothing is in scope that the user did not import.
#![no_implicit_prelude]
#![allow(dead_code)]

use ::shutdown_runtime::{
    Lease, Resource, Shutdown, Uses, background_task, resource, shutdown_hook, shutdown_order, shutdown_plan,
};

#[resource(close = close_db)]
struct Db(u32);

async fn close_db(db: &Db) {
    let _ = db.0;
    ::std::future::ready(()).await;
}

#[derive(Uses)]
struct App {
    db: Lease<Db>,
    title: ::std::option::Option<u8>,
}

#[background_task(every = "1s", budget = "2s", on_error = "log")]
async fn relay(db: &Db, app: ::std::sync::Arc<App>, seen: &mut u32) {
    *seen += db.0 + app.db.0;
    ::std::future::ready(()).await;
}

#[shutdown_order(before = relay)]
#[background_task]
async fn http_api(app: App, n: ::std::vec::Vec<u8>, shutdown: Shutdown) -> ::std::io::Result<()> {
    shutdown.requested().await;
    let _ = (app.title, n);
    ::std::result::Result::Ok(())
}

#[shutdown_hook]
async fn leave() {
    ::std::future::ready(()).await;
}

#[shutdown_plan(part)]
struct Workers {
    relay: relay,
    leave: ::std::option::Option<leave>,
}

#[shutdown_plan(budget = "60s")]
struct Service {
    ingress: http_api,
    workers: Workers,
    storage: Resource<Db>,
}

#[::shutdown_runtime::main]
#[allow(clippy::unused_async)]
async fn main() -> ::std::result::Result<::std::option::Option<Service>, ::std::io::Error> {
    ::std::result::Result::Ok(::std::option::Option::None)
}
