//! A module in which every name that generated code might reach for means something else.
#![allow(dead_code, non_camel_case_types, non_snake_case, non_upper_case_globals, unused_macros)]

mod std {}
mod core {}
mod tokio {}
mod shutdown_runtime {}
mod alloc {}
mod tracing {}
struct u8;
struct u16;
struct u64;
struct usize;
struct bool;
struct str;
struct Result;
struct Option;
struct Vec;
struct Box;
struct String;
struct Duration;
struct PhantomData;
trait Send {}
trait Sync {}
trait Future {}
trait Clone {}
trait Uses {}
trait Plan {}
trait Phase {}
trait Item {}
trait Into {}
trait From {}
trait Default {}
macro_rules! line {
    () => {
        compile_error!("not the one of `core`")
    };
}
macro_rules! panic {
    () => {
        compile_error!("not the one of `core`")
    };
}
const fn Ok() {}
const fn Err() {}
const fn Some() {}
const None: () = ();

use ::shutdown_runtime::{
    Lease, Resource, Shutdown, background_task, resource, shutdown_hook, shutdown_order, shutdown_plan,
};

#[resource(close = close_db)]
struct Db(u32);

async fn close_db(db: &Db) {
    let _ = db.0;
}

#[resource(close = async |_: &Cache| ())]
struct Cache {
    db: Lease<Db>,
}

#[derive(::shutdown_runtime::Uses)]
struct App {
    db: Lease<Db>,
}

#[derive(::shutdown_runtime::Uses, ::std::clone::Clone)]
struct State {
    db: Lease<Db>,
}

#[background_task(every = "1s")]
async fn relay(db: &Db, app: State, seen: &mut u32) {
    *seen += db.0 + app.db.0;
}

#[shutdown_order(before = relay)]
#[background_task]
async fn http_api(app: App, shutdown: Shutdown) -> ::std::result::Result<(), ::std::io::Error> {
    shutdown.requested().await;
    let _ = app.db.0;
    ::std::result::Result::Ok(())
}

#[shutdown_hook]
async fn leave(cache: &Cache) {
    let _ = cache.db.0;
}

#[shutdown_plan(part)]
struct Workers {
    relay: relay,
    leave: ::std::option::Option<leave>,
}

/// All of it.
#[derive(Debug)]
#[shutdown_plan(budget = "60s")]
pub(crate) struct Service {
    ingress: http_api,
    workers: Workers,
    cache: Resource<Cache>,
    storage: Resource<Db>,
}

impl ::std::fmt::Debug for Workers {
    fn fmt(&self, formatter: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        formatter.write_str("Workers")
    }
}

#[test]
fn the_plan_is_whole() {
    assert!(::std::string::ToString::to_string(&Service::graph()).contains("relay"));
}

mod entry {
    #![allow(clippy::unused_async)]

    #[::shutdown_runtime::main(flavor = "current_thread")]
    async fn main(
        startup: ::shutdown_runtime::Startup,
    ) -> ::std::result::Result<::std::option::Option<super::Service>, ::std::io::Error> {
        let _ = startup;
        ::std::result::Result::Ok(::std::option::Option::None)
    }

    #[test]
    fn main_compiles() {
        let _ = main;
    }
}
