// A part may come from another crate.
use elsewhere::{Db, Workers};
use shutdown_runtime::{Resource, shutdown_plan};

#[shutdown_plan(budget = "30s")]
struct Service {
    workers: Workers,
    storage: Resource<Db>,
}

fn main() {}
