//! A service that misbehaves on demand: `SUBJECT=mode`. The process tests signal it and read its report.
#![allow(clippy::manual_assert, reason = "a panic is one kind of trouble")]

use std::io::{self, Write as _};
use std::sync::OnceLock;
use std::time::Duration;

use shutdown_runtime::{
    Resource, Shutdown, Startup, background_task, resource, shutdown_hook, shutdown_plan,
};

/// Far longer than any test waits.
const FOREVER: Duration = Duration::from_secs(600);

/// Writes to stdout at once; the tests wait for such lines.
fn say(line: &str) {
    let mut stdout = io::stdout();
    let _ = writeln!(stdout, "{line}").and_then(|()| stdout.flush());
}

#[resource(close = close_db, budget = "1s")]
struct Db;

async fn close_db(_: &Db) {
    say("Db closed");
}

/// Made after `Db`, so it closes before it where a start fails.
#[resource(close = async |_: &Second| say("Second closed"), budget = "1s")]
struct Second;

/// Takes a while to close, so that it needs a share of the time.
#[resource(close = unhurried, budget = "1s")]
struct Unhurried;

async fn unhurried(_: &Unhurried) {
    tokio::time::sleep(Duration::from_millis(200)).await;
    say("Unhurried closed");
}

/// Takes as long as `Unhurried`, and may take as long as `Stuck`.
#[resource(close = patiently, budget = "10s")]
struct Patient;

async fn patiently(_: &Patient) {
    tokio::time::sleep(Duration::from_millis(200)).await;
    say("Patient closed");
}

/// Its close never ends.
#[resource(close = async |_: &Stuck| std::future::pending::<()>().await, budget = "10s")]
struct Stuck;

#[resource(close = block, budget = "1s")]
struct Blocking;

async fn block(_: &Blocking) {
    std::thread::sleep(FOREVER);
}

/// Owns a runtime, which panics where it is dropped inside another (field report 85).
#[resource(close = close_nested, budget = "1s")]
struct Nested(tokio::runtime::Runtime);

async fn close_nested(_: &Nested) {
    tracing::info!("closing what is nested");
    say("Nested closed");
}

impl Drop for Nested {
    fn drop(&mut self) {
        let entered = self.0.handle().block_on(async { 1 });
        say(&format!("Nested dropped {entered}"));
    }
}

#[background_task(budget = "1s")]
async fn quiet(db: &Db, shutdown: Shutdown) {
    let Db = db;
    say("started");
    shutdown.requested().await;
    say("quiet told");
}

#[background_task(budget = "1s")]
async fn stuck(shutdown: Shutdown) {
    shutdown.requested().await;
    std::future::pending::<()>().await;
}

/// Panics where it is dropped.
struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        panic!("in a destructor");
    }
}

#[background_task(budget = "1s")]
async fn tears(shutdown: Shutdown) {
    let _bomb = Bomb;
    shutdown.requested().await;
    std::future::pending::<()>().await;
}

/// Blocks the thread that it runs on, as a busy loop in async code would.
#[background_task(budget = "1s")]
async fn wedges(shutdown: Shutdown) {
    if !shutdown.is_requested() {
        std::thread::sleep(FOREVER);
    }
}

/// One of many, with nothing to do.
#[background_task(budget = "1s")]
async fn idles(shutdown: Shutdown) {
    shutdown.requested().await;
}

/// Blocks its thread once it is told to stop.
#[background_task(budget = "1s")]
async fn blocks(shutdown: Shutdown) {
    shutdown.requested().await;
    std::thread::sleep(FOREVER);
}

/// Blocking work that looks at the stop between two records.
#[background_task(budget = "2s")]
async fn integrates(shutdown: Shutdown) {
    let looks = shutdown.clone();
    let records = shutdown.spawn_blocking(move || {
        while !looks.is_requested() {
            std::thread::sleep(Duration::from_millis(10));
        }
        say("stopped at a record");
    });
    if let Ok(records) = records {
        let _ = records.await;
    }
}

#[background_task(budget = "3s")]
async fn slow(shutdown: Shutdown) {
    shutdown.requested().await;
    tokio::time::sleep(Duration::from_millis(1_500)).await;
    say("slow done");
}

#[background_task(budget = "1s")]
async fn reads_stdin(shutdown: Shutdown) {
    let _pending = shutdown.spawn_blocking(|| {
        let mut line = String::new();
        io::stdin().read_line(&mut line)
    });
    shutdown.requested().await;
}

#[background_task(budget = "1s")]
async fn fails(shutdown: Shutdown) -> Result<(), String> {
    shutdown.sleep(Duration::from_millis(50)).await;
    Err(String::from("the consumer lost its group"))
}

#[background_task(on_exit = "shutdown", budget = "1s")]
async fn finishes(shutdown: Shutdown) {
    shutdown.sleep(Duration::from_millis(50)).await;
}

#[shutdown_hook(budget = "1s")]
async fn leave() {
    say("left");
}

/// Stops from top to bottom.
#[shutdown_plan(budget = "12s", pre_stop = "1s")]
struct Subject {
    work: (
        Option<quiet>,
        Option<stuck>,
        Vec<wedges>,
        Option<slow>,
        Option<reads_stdin>,
        Option<fails>,
        Option<finishes>,
        Option<tears>,
        Vec<idles>,
        Option<blocks>,
        Option<integrates>,
    ),
    cluster: leave,
    troubles: (Option<Resource<Blocking>>, Option<Resource<Nested>>),
    storage: Resource<Db>,
}

struct LastLine;

impl Drop for LastLine {
    fn drop(&mut self) {
        say("guard dropped");
    }
}

#[shutdown_runtime::main(worker_threads = 2)]
async fn main(startup: Startup) -> Result<Option<Subject>, String> {
    tracing_subscriber::fmt().with_writer(io::stderr).with_ansi(false).init();
    startup.keep(LastLine);
    let mode = std::env::var("SUBJECT").unwrap_or_default();
    let db = Resource::new(Db);
    let when = |name: &str| mode.split(',').any(|word| word == name);
    let _second = when("second").then(|| Resource::new(Second));
    if when("outside") {
        // Nobody's child: nothing in the plan waits for it (field report 90).
        tokio::task::spawn_blocking(|| std::thread::sleep(FOREVER));
    }
    if when("global-runtime") {
        // Never dropped, as what stands in a static; and busy.
        static GLOBAL: OnceLock<tokio::runtime::Runtime> = OnceLock::new();
        let runtime = GLOBAL.get_or_init(|| tokio::runtime::Runtime::new().expect("a second runtime"));
        runtime.spawn_blocking(|| std::thread::sleep(FOREVER));
        runtime.spawn(async { std::thread::sleep(FOREVER) });
    }
    let _three = when("stuck-close").then(|| (Resource::new(Patient), Resource::new(Stuck)));
    if when("start-fails") {
        return Err(String::from("the database at nowhere:5432 does not answer"));
    }
    if when("start-panics") {
        panic!("start-up boom");
    }
    let _blocking = when("start-blocks").then(|| Resource::new(Blocking));
    if when("start-hangs") {
        say("starting");
        tokio::time::sleep(FOREVER).await;
    }
    if when("start-stuck") {
        let _unhurried = Resource::new(Unhurried);
        say("migrating");
        startup.critical(std::future::pending::<()>()).await;
    }
    if when("start-migrates") {
        startup
            .critical(async {
                say("migrating");
                tokio::time::sleep(Duration::from_millis(400)).await;
                say("migrated");
            })
            .await;
        tokio::task::yield_now().await;
        tokio::time::sleep(Duration::from_millis(1)).await;
        say("after the migration");
    }
    if when("nothing-to-do") {
        return Ok(None);
    }
    if when("forgotten") {
        let _forgotten = Resource::new(Blocking);
        return Ok(Some(subject(&mode, db)));
    }
    if when("spins") {
        for _ in 0..3 {
            std::thread::spawn(|| {
                loop {
                    std::hint::spin_loop();
                }
            });
        }
    }
    if when("full-stdout") {
        // Keeps the lock of stdout for ever, once the pipe is full.
        std::thread::spawn(|| while io::stdout().lock().write_all(&[b'.'; 4_096]).is_ok() {});
    }
    if when("exits") {
        // As a library's `exit` in the midst of a stop: the thread sits in the handlers, and holds their lock.
        assert!(shutdown_exit_handlers::hang_at_exit(), "the handler could not be registered");
        std::thread::spawn(|| std::process::exit(3));
    }
    if when("asks-to-stop") {
        startup.handle().request_now("nothing to serve");
    }
    Ok(Some(subject(&mode, db)))
}

fn subject(mode: &str, db: Resource<Db>) -> Subject {
    let when = |name: &str| mode.split(',').any(|word| word == name);
    let nested = || Resource::new(Nested(tokio::runtime::Runtime::new().expect("a second runtime")));
    Subject {
        work: (
            Some(quiet(&db)),
            when("stuck").then(stuck),
            if when("wedged") { (0..8).map(|_| wedges()).collect() } else { Vec::new() },
            when("slow").then(slow),
            when("stdin").then(reads_stdin),
            when("fails").then(fails),
            when("finishes").then(finishes),
            when("tears").then(tears),
            (0..if when("crowd") { 500 } else { 0 }).map(|_| idles()).collect(),
            when("blocks").then(blocks),
            when("integrates").then(integrates),
        ),
        cluster: leave(),
        troubles: (when("blocking-close").then(|| Resource::new(Blocking)), when("nested").then(nested)),
        storage: db,
    }
}
