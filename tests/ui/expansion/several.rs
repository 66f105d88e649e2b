// All problems of one item are reported together, and no other.
use shutdown_runtime::background_task;

#[background_task(every = "0s", bugdet = "10s", stop = "sometimes")]
fn relay(topic: &str) {
    let _ = topic;
}

fn main() {}
