// What follows from a misspelt key is not reported as well: the task is taken for a periodic one.
use shutdown_runtime::background_task;

#[background_task(evrey = "1s")]
async fn relay(sent: &mut u32) {
    *sent += 1;
}

fn main() {}
