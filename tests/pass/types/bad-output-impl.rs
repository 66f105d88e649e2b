// What is returned must be known to be nothing.
use shutdown_runtime::{Shutdown, background_task};

#[background_task]
async fn relay(shutdown: Shutdown) -> Result<(), std::io::Error> {
    shutdown.requested().await;
    Ok(())
}

fn main() {}
