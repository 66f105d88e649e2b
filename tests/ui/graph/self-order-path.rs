// An item that is ordered after itself, named by a path that only the plan sees through.
use shutdown_runtime::shutdown_plan;

#[allow(unused_qualifications)]
mod tasks {
    use shutdown_runtime::{Shutdown, background_task, shutdown_order};

    #[background_task]
    pub(super) async fn http_api(shutdown: Shutdown) {
        shutdown.requested().await;
    }

    #[shutdown_order(after = super::tasks::relay)]
    #[background_task]
    pub(super) async fn relay(shutdown: Shutdown) {
        shutdown.requested().await;
    }
}

#[shutdown_plan(budget = "30s")]
struct Service {
    ingress: tasks::http_api,
    workers: tasks::relay,
}

fn main() {}
