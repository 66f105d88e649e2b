// A task returns no value, not even inside a `Result`.
use shutdown_runtime::{Shutdown, background_task};

#[background_task]
async fn relay(shutdown: Shutdown) -> Result<(), std::io::Error> {
    shutdown.requested().await;
    Ok(Default::default())
}

fn main() {}
