// Raw identifiers are shown as they are meant.
use shutdown_runtime::{Resource, Shutdown, background_task, resource, shutdown_plan};

#[allow(non_camel_case_types)]
#[resource(close = async |_: &r#type| ())]
struct r#type;

#[background_task]
async fn r#loop(r#in: &r#type, shutdown: Shutdown) {
    shutdown.requested().await;
    let _ = r#in;
}

#[shutdown_plan(budget = "30s")]
struct Service {
    r#match: r#loop,
    r#static: Resource<r#type>,
}

fn main() {}
