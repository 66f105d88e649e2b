// Who ends with its input must say who feeds it.
use shutdown_runtime::{Shutdown, background_task, shutdown_order};

#[background_task]
async fn http_api(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[shutdown_order(after = http_api)]
#[background_task(stop = "input")]
async fn mailer(input: tokio::sync::mpsc::Receiver<u32>) {
    let mut input = input;
    while input.recv().await.is_some() {}
}

fn main() {}
