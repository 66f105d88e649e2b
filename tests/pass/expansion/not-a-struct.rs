// A resource is a struct.
use shutdown_runtime::resource;

#[resource(close = async |_: &Db| ())]
struct Db {
    primary: u32,
}

fn main() {}
