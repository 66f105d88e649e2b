// Two resources that use each other: neither can close first.
use shutdown_runtime::{Lease, Resource, resource, shutdown_plan};

#[resource(close = async |_: &Cache| ())]
struct Cache {
    loader: Lease<Loader>,
}

#[resource(close = async |_: &Loader| ())]
struct Loader {
    cache: Option<Lease<Cache>>,
}

#[shutdown_plan(budget = "30s")]
struct Service {
    cache: Resource<Cache>,
    loader: Resource<Loader>,
}

fn main() {}
