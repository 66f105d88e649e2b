// A hook runs at the stop, a task until then.
use shutdown_runtime::shutdown_hook;

#[shutdown_hook]
async fn leave() {}

fn main() {}
