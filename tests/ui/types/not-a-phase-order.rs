// An order names something that stops.
use shutdown_runtime::{Shutdown, background_task, shutdown_order};

#[allow(non_camel_case_types)]
struct mailer;

#[shutdown_order(after = mailer)]
#[background_task]
async fn relay(shutdown: Shutdown) {
    shutdown.requested().await;
}

fn main() {}
