// A hook runs at the stop, a task until then.
use shutdown_runtime::{background_task, shutdown_hook};

#[shutdown_hook]
#[background_task(every = "1s")]
async fn leave() {}

fn main() {}
