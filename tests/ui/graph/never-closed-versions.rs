// Two versions of one crate are two crates: what one's task uses, the other's resource does not close.
use shutdown_runtime::{Resource, shutdown_plan};

#[shutdown_plan(budget = "30s")]
struct Service {
    workers: elsewhere::relay,
    storage: Resource<elsewhere_next::Db>,
}

fn main() {}
