// A struct that is no resource does not stop.
use shutdown_runtime::{background_task, resource, shutdown_order};

#[background_task(every = "1s")]
async fn relay() {}

#[shutdown_order(after = relay)]
#[derive(Debug)]
struct Db;

#[resource(close = async |_: &Other| ())]
struct Other;

fn main() {}
