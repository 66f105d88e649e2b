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

#[test]
fn what_holds_under_a_condition_is_what_is_checked() {
    let storage = &Graph::SPEC.fields[3];
    assert_eq!((storage.after, storage.budget, storage.declared), (&[2_u16][..], Some(7_000), true));
    assert_eq!(Graph::SPEC.order, [0, 1, 2, 3]);
}
