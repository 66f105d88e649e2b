// Long budgets add up as short ones do.
use shutdown_runtime::{Shutdown, background_task, shutdown_plan};

#[background_task(budget = "1h 30m")]
async fn encoder(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[background_task(budget = "45m")]
async fn uploader(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[shutdown_plan(budget = "3h", pre_stop = "1m 30s")]
struct Service {
    encode: encoder,
    upload: uploader,
}

fn main() {}
