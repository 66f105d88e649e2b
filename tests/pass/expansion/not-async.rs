// A body that cannot wait cannot be stopped.
use shutdown_runtime::background_task;

#[background_task(every = "1s")]
async fn relay(n: u32) {
    let _ = n;
}

fn main() {}
