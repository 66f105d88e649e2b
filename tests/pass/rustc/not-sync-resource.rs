// A resource is shared between the tasks that use it.
use shutdown_runtime::resource;

#[resource(close = async |_: &Db| ())]
struct Db {
    open: std::sync::Mutex<u32>,
}

fn main() {}
