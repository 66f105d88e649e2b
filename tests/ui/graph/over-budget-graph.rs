// Of phases that stop at the same time the longer chain counts.
use shutdown_runtime::{Shutdown, background_task, shutdown_plan};

#[background_task(budget = "25s")]
async fn http_api(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[background_task(budget = "10s")]
async fn relay(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[background_task(budget = "20s")]
async fn mailer(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[shutdown_plan(budget = "40s")]
struct Service {
    ingress: http_api,
    #[shutdown_order(after = [])]
    workers: relay,
    #[shutdown_order(after = [ingress])]
    mail: mailer,
}

fn main() {}
