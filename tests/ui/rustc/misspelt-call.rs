// And where it is called.
use shutdown_runtime::{Shutdown, background_task, shutdown_plan};

#[background_task]
async fn http_api(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[shutdown_plan(budget = "30s")]
struct Service {
    ingress: http_api,
}

#[shutdown_runtime::main]
async fn main() -> Service {
    Service { ingress: htp_api() }
}
