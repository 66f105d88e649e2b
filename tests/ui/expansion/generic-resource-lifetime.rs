// A resource outlives every borrow.
use shutdown_runtime::resource;

#[resource(close = async |_: &Db| ())]
struct Db<'a>(&'a str);

fn main() {}
