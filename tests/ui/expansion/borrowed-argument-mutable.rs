// Only the loop of a periodic task owns state that it can lend.
use shutdown_runtime::{Shutdown, background_task};

#[derive(Default)]
struct Seen(u32);

#[background_task]
async fn relay(seen: &mut Seen, _shutdown: Shutdown) {
    seen.0 += 1;
}

#[allow(dead_code)]
fn seen() -> Seen {
    Seen::default()
}

fn main() {}
