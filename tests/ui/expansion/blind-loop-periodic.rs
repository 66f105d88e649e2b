// The body of a periodic task is one iteration.
use shutdown_runtime::background_task;

#[background_task(every = "1s")]
async fn relay() {
    loop {
        step().await;
    }
}

async fn step() {}

fn main() {}
