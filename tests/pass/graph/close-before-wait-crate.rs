// The items may come from another crate.
use elsewhere::{Db, relay};
use shutdown_runtime::{Resource, shutdown_plan};

#[shutdown_plan(budget = "30s")]
struct Service {
    workers: relay,
    storage: Resource<Db>,
}

fn main() {}
