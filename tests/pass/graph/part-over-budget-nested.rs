// A part inside a part must fit as well; it is judged where it stands.
use shutdown_runtime::{Shutdown, background_task, shutdown_plan};

#[background_task(budget = "20s")]
async fn http_api(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[shutdown_plan(part)]
struct Web {
    ingress: http_api,
}

#[shutdown_plan(part)]
struct Edge {
    #[phase(budget = "20s")]
    web: Web,
}

#[shutdown_plan(budget = "60s")]
struct Service {
    edge: Edge,
}

fn main() {}
