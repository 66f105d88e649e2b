// Two versions of one crate in one plan, each with its own order.
use shutdown_runtime::{Resource, shutdown_plan};

#[shutdown_plan(budget = "60s")]
struct Service {
    workers: elsewhere::relay,
    storage: Resource<elsewhere::Db>,
    next_workers: elsewhere_next::relay,
    next_storage: Resource<elsewhere_next::Db>,
}

fn main() {}
