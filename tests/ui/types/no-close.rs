// Something must say how a resource closes.
use shutdown_runtime::resource;

#[resource]
struct Db(u32);

fn main() {}
