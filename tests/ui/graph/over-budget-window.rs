// The hook before the signal and the window after it count too.
use shutdown_runtime::{Shutdown, background_task, shutdown_plan};

#[background_task(budget = "20s")]
async fn http_api(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[shutdown_plan(budget = "30s", pre_stop = "5s", lame_duck = "4s")]
struct Service {
    ingress: http_api,
}

fn main() {}
