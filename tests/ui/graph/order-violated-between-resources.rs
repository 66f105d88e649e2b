// Two resources that do not hold each other may still have an order.
use shutdown_runtime::{Resource, resource, shutdown_plan};

#[resource(close = async |_: &Db| ())]
struct Db;

#[resource(close = async |_: &Metrics| ())]
#[shutdown_order(after = Db)]
struct Metrics;

#[shutdown_plan(budget = "30s")]
struct Service {
    metrics: Resource<Metrics>,
    storage: Resource<Db>,
}

fn main() {}
