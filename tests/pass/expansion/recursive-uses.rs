// What a type holds cannot be defined by itself.
use shutdown_runtime::{Lease, Uses, resource};

#[resource(close = async |_: &Db| ())]
struct Db(u32);

#[derive(Uses)]
#[allow(dead_code)]
struct Node {
    db: Lease<Db>,
    next: Option<Box<u32>>,
}

fn main() {}
