// A hook at the drain is over before anything closes; closed it must be all the same.
use shutdown_runtime::{Resource, resource, shutdown_hook, shutdown_plan};

#[resource(close = async |_: &Registry| ())]
struct Registry(u32);

#[resource(close = async |_: &Metrics| ())]
struct Metrics(u32);

#[shutdown_hook(at = "drain")]
async fn deregister(registry: &Registry, metrics: &Metrics) {
    let _ = (registry.0, metrics.0);
}

#[shutdown_plan(budget = "30s")]
struct Service {
    discovery: Resource<Registry>,
    registry: deregister,
    metrics: Resource<Metrics>,
}

fn main() {}
