// A task without a budget has 10 s, a hook and a resource 5 s.
use shutdown_runtime::{Resource, Shutdown, background_task, resource, shutdown_hook, shutdown_plan};

#[resource(close = async |_: &Db| ())]
struct Db;

#[shutdown_hook]
async fn sign_off() {}

#[background_task]
async fn http_api(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[shutdown_plan(budget = "22s")]
struct Service {
    ingress: http_api,
    farewell: sign_off,
    storage: Resource<Db>,
}

fn main() {}
