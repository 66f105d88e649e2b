// All problems of one item are reported together, and no other.
use shutdown_runtime::background_task;

#[background_task(every = "1s", budget = "10s", stop = "drop")]
async fn relay(topic: String) {
    let _ = topic;
}

fn main() {}
