//! Work that ends by itself: `JOB=mode` says how this one does.

use std::io::{self, Write as _};
use std::time::Duration;

use shutdown_runtime::{Shutdown, Startup, background_task, shutdown_plan};

fn say(line: &str) {
    let mut stdout = io::stdout();
    let _ = writeln!(stdout, "{line}").and_then(|()| stdout.flush());
}

#[background_task(budget = "1s", on_exit = "shutdown")]
async fn import(mode: String, shutdown: Shutdown) -> Result<(), String> {
    say("started");
    match mode.as_str() {
        "ends" => Ok(()),
        "fails" => Err(String::from("row 17 is no row")),
        _ => {
            shutdown.requested().await;
            if mode == "unclean" { Err(String::from("half a file")) } else { Ok(()) }
        }
    }
}

#[shutdown_plan(job, budget = "10s")]
struct Import {
    only: import,
}

#[shutdown_runtime::main(worker_threads = 2)]
async fn main(startup: Startup) -> Result<Option<Import>, String> {
    let mode = std::env::var("JOB").unwrap_or_default();
    match mode.as_str() {
        "nothing-to-do" => return Ok(None),
        "start-hangs" => {
            say("starting");
            tokio::time::sleep(Duration::from_secs(600)).await;
        }
        "asked" => {
            let handle = startup.handle();
            tokio::spawn(async move {
                tokio::time::sleep(Duration::from_millis(100)).await;
                handle.request_now("an operator");
            });
        }
        _ => {}
    }
    Ok(Some(Import { only: import(mode) }))
}
