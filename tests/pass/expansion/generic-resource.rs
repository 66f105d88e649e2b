// A generic resource would be one resource to the graph, whatever its arguments.
use shutdown_runtime::resource;

#[resource(close = async |_: &Pool| ())]
struct Pool(u32);

fn main() {}
