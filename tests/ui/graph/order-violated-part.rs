// An order binds members of parts as well.
use shutdown_runtime::{Shutdown, background_task, shutdown_order, shutdown_plan};

#[background_task]
async fn http_api(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[shutdown_order(after = http_api)]
#[background_task]
async fn email_worker(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[shutdown_plan(part)]
struct Web {
    ingress: http_api,
}

#[shutdown_plan(budget = "30s")]
struct Service {
    workers: email_worker,
    web: Web,
}

fn main() {}
