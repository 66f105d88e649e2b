// A part may come from another crate.
use elsewhere::{Db, Workers};
use shutdown_runtime::{Resource, shutdown_plan};

#[shutdown_plan(budget = "30s")]
struct Service {
    storage: Resource<Db>,
    workers: Workers,
}

fn main() {}
