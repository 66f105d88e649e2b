// A misspelt order; the feeder is not missed as well.
use shutdown_runtime::{Shutdown, background_task};

#[background_task]
async fn http_api(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[background_task(stop = "input")]
#[shutdown_order(aftr = http_api)]
async fn mailer(mut input: tokio::sync::mpsc::Receiver<u32>) {
    while input.recv().await.is_some() {}
}

fn main() {}
