// Each condition doubles the tables of a plan.
use shutdown_runtime::{Shutdown, background_task, shutdown_plan};

#[background_task]
async fn relay(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[shutdown_plan(budget = "30s")]
struct Service {
    #[cfg_attr(unix, phase(budget = "10s"))]
    #[cfg_attr(windows, phase(budget = "11s"))]
    #[cfg_attr(debug_assertions, phase(budget = "12s"))]
    #[cfg_attr(test, phase(budget = "13s"))]
    workers: relay,
}

fn main() {}
