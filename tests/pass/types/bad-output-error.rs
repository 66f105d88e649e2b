// An error must be able to become a `Box<dyn Error + Send + Sync>`.
use shutdown_runtime::{Shutdown, background_task};

struct Broken;

#[background_task]
async fn relay(shutdown: Shutdown) -> Result<(), std::fmt::Error> {
    shutdown.requested().await;
    let _ = Broken;
    Ok(())
}

fn main() {}
