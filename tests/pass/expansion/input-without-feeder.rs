// Who ends with its input must say who feeds it.
use shutdown_runtime::{Shutdown, background_task};

#[background_task]
async fn http_api(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[background_task(stop = "input")]
#[shutdown_order(after = http_api)]
async fn mailer(input: tokio::sync::mpsc::Receiver<u32>) {
    let mut input = input;
    while input.recv().await.is_some() {}
}

fn main() {}
