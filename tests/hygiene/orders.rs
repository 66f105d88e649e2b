//! `#[shutdown_order]` above and below, imported and not, single and lists; conditions on fields.
#![allow(dead_code)]

use shutdown_runtime::{
    Plan, Resource, Shutdown, background_task, resource, shutdown_hook, shutdown_order, shutdown_plan,
};

#[shutdown_order(before = [email, Db])]
#[background_task]
async fn http_api(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[background_task]
#[shutdown_runtime::shutdown_order(after = http_api)]
#[allow(clippy::let_underscore_untyped)]
async fn email(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[shutdown_runtime::shutdown_order(after = http_api, before = Db)]
#[shutdown_order(after = email)]
#[shutdown_hook]
async fn leave() {
    std::future::ready(()).await;
}

#[shutdown_order(after = [http_api, email])]
#[resource(close = async |_: &Db| ())]
struct Db;

#[derive(Debug)]
#[shutdown_plan(budget = "60s")]
struct Graph {
    ingress: http_api,
    workers: email,
    #[shutdown_order(after = [ingress, workers])]
    leave: leave,
    #[cfg_attr(all(), shutdown_order(after = [leave]), phase(budget = "7s"))]
    #[cfg_attr(any(), shutdown_order(after = []))]
    storage: Option<Resource<Db>>,
}

/// Items of other modules, by their paths; raw identifiers; a field that is compiled out.
mod nested {
    pub(super) mod deep {
        #[shutdown_runtime::background_task(every = "1s")]
        pub(in crate::orders) async fn r#yield() {}
    }

    #[super::shutdown_order(after = [deep::r#yield, super::http_api])]
    #[super::background_task(every = "1s")]
    pub(super) async fn beside() {}
}

#[shutdown_plan(budget = "60s")]
struct Paths {
    r#move: nested::deep::r#yield,
    #[cfg(any())]
    gone: nested::missing,
    ingress: http_api,
    #[shutdown_order(after = [r#move, gone, ingress])]
    beside: nested::beside,
    #[shutdown_order(before = nothing)]
    early: Option<leave>,
    nothing: Vec<Resource<Db>>,
}

#[test]
fn a_field_that_is_compiled_out_keeps_its_place_in_the_order() {
    let fields = Paths::SPEC.fields;
    assert_eq!((fields[0].name, fields[3].after, fields[5].after), ("move", &[2_u16][..], &[4_u16][..]));
}

#[test]
fn what_holds_under_a_condition_is_what_is_checked() {
    let storage = &Graph::SPEC.fields[3];
    assert_eq!((storage.after, storage.budget, storage.declared), (&[2_u16][..], Some(7_000), true));
    assert_eq!(Graph::SPEC.order, [0, 1, 2, 3]);
}
