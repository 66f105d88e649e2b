// An argument of a periodic task is cloned for each iteration.
use shutdown_runtime::background_task;

struct Seen(u32);

#[background_task(every = "1s")]
async fn relay(seen: Seen) {
    let _ = seen.0;
}

fn main() {}
