//! Those who keep `#[tokio::main]`: `run_with`, then `plan.run()`, then the signals are their own again.

use std::io::{self, Write as _};
use std::time::Duration;

use shutdown_runtime::{Shutdown, StartError, background_task, run_with, shutdown_plan};

fn say(line: &str) {
    let mut stdout = io::stdout();
    let _ = writeln!(stdout, "{line}").and_then(|()| stdout.flush());
}

#[background_task(budget = "1s")]
async fn idle(shutdown: Shutdown) {
    say("started");
    shutdown.requested().await;
}

#[shutdown_plan(budget = "10s")]
struct Service {
    only: idle,
}

#[tokio::main]
async fn main() -> Result<(), StartError> {
    let report = run_with(async { Service { only: idle() } }).await?;
    say(&format!("first: {}", report.is_some_and(|report| report.is_clean())));
    let second = tokio::spawn(Service { only: idle() }.run());
    tokio::time::sleep(Duration::from_millis(200)).await;
    // A plan beside one that runs is refused.
    if let Err(error) = (Service { only: idle() }).run().await {
        say(&format!("refused: {error}"));
    }
    let report = second.await.map_err(|error| StartError::Runtime(io::Error::other(error)))??;
    say(&format!("second: {}", report.is_clean()));
    // A run that was cancelled leaves its plan running, and with it the signals.
    let cancelled = tokio::time::timeout(Duration::from_millis(100), Service { only: idle() }.run()).await;
    if let (Err(_), Err(error)) = (cancelled, Service { only: idle() }.run().await) {
        say(&format!("cancelled: {error}"));
    }
    tokio::time::sleep(Duration::from_secs(60)).await;
    Ok(())
}
