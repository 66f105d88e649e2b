// A resource is a struct.
use shutdown_runtime::resource;

#[resource(close = async |_: &Db| ())]
enum Db {
    Primary,
}

fn main() {}
