// The items may come from another crate.
use elsewhere::{Db, relay};
use shutdown_runtime::{Resource, shutdown_plan};

#[shutdown_plan(budget = "30s")]
struct Service {
    storage: Resource<Db>,
    workers: relay,
}

fn main() {}
