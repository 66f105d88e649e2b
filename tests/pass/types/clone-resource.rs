// A clone of a resource outlives its close.
use shutdown_runtime::resource;

#[resource(close = async |_: &Db| ())]
#[derive(Debug)]
struct Db {
    pool: u32,
}

fn main() {}
