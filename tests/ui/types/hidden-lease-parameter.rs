// What a type parameter stands for may hide one: a bound must rule it out, or say that it is asked.
use shutdown_runtime::{Shutdown, background_task};

#[background_task]
async fn relay<S: Send + 'static>(sink: S, shutdown: Shutdown) {
    shutdown.requested().await;
    drop(sink);
}

fn main() {}
