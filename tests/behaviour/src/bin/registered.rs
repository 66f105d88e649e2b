//! A service that says itself when it is ready, and deregisters at the drain: `SUBJECT=mode`. The process tests signal it.
#![allow(clippy::unused_async, reason = "`main` is async by its contract, awaits or not")]

use std::io::{self, Write as _};
use std::time::Duration;

use shutdown_runtime::{Resource, Shutdown, background_task, resource, shutdown_hook, shutdown_plan};

/// Writes to stdout at once; the tests wait for such lines.
fn say(line: &str) {
    let mut stdout = io::stdout();
    let _ = writeln!(stdout, "{line}").and_then(|()| stdout.flush());
}

#[resource(close = async |_: &Db| say("Db closed"), budget = "1s")]
struct Db;

#[background_task(budget = "1s")]
async fn lower(db: &Db, shutdown: Shutdown) {
    let Db = db;
    say("lower starts");
    shutdown.requested().await;
    say("lower told");
}

/// Has joined its group at once, late, or never.
#[background_task(budget = "1s", ready = "explicit", ready_within = "700ms")]
async fn joins(mode: String, shutdown: Shutdown) {
    say("joining");
    match mode.as_str() {
        "never" => {}
        "gives-up" => return,
        _ => shutdown.ready(),
    }
    shutdown.requested().await;
    say("joins told");
}

#[background_task(budget = "1s")]
async fn serves(shutdown: Shutdown) {
    while !shutdown.readiness().is_ready() && shutdown.sleep(Duration::from_millis(1)).await {}
    say("serving");
    shutdown.requested().await;
    say("serves told");
}

#[shutdown_hook(at = "drain", budget = "1s")]
async fn deregister(mode: String, shutdown: Shutdown) {
    say(&format!("deregistering, ready: {}", shutdown.readiness().is_ready()));
    if mode == "blocks" {
        std::thread::sleep(Duration::from_secs(600));
    }
    say("deregistered");
}

/// Stops from top to bottom.
#[shutdown_plan(budget = "12s", lame_duck = "300ms")]
struct Registered {
    ingress: serves,
    group: joins,
    work: lower,
    storage: Resource<Db>,
    registry: deregister,
}

#[shutdown_runtime::main]
async fn main() -> Registered {
    tracing_subscriber::fmt().with_writer(io::stderr).with_ansi(false).init();
    let mode = std::env::var("SUBJECT").unwrap_or_default();
    let db = Resource::new(Db);
    Registered {
        ingress: serves(),
        group: joins(mode.clone()),
        work: lower(&db),
        registry: deregister(mode),
        storage: db,
    }
}
