// A task must learn of the stop in some way.
use shutdown_runtime::background_task;

#[background_task]
async fn relay(n: u32) {
    let _ = n;
}

fn main() {}
