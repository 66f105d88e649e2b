// A resource that contains itself.
use shutdown_runtime::resource;

#[resource(close = async |_: &Tree| ())]
struct Tree {
    children: Vec<u32>,
}

fn main() {}
