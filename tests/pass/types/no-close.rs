// Something must say how a resource closes.
use shutdown_runtime::resource;

#[resource(close = async |_: &Db| ())]
struct Db(u32);

fn main() {}
