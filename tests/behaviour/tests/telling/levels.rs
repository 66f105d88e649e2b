//! Normal ends are `info`, overruns `warn`, losses `error`; who is still awaited is said every five seconds.

use std::future::pending;
use std::time::Duration;

use shutdown_runtime::{
    Lease, Report, Resource, Running, Shutdown, background_task, resource, shutdown_hook, shutdown_plan,
    testing,
};
use tokio::time::{Instant, sleep};
use tracing::Level;

use crate::collected::{Collected, listen};

async fn stop(running: Running) -> Report {
    sleep(Duration::from_millis(1)).await;
    running.handle().request_now("the test");
    running.stopped().await
}

/// The only line about this member from the stop itself.
fn verdict(collected: &Collected, member: &str, message: &str) -> (Level, String, String) {
    let lines: Vec<_> = collected.of(member).into_iter().filter(|line| line.message == message).collect();
    assert_eq!(lines.len(), 1, "{member}: {:#?}", collected.of(member));
    (lines[0].level, lines[0].field("outcome").to_owned(), lines[0].field("text").to_owned())
}

#[background_task(budget = "12s")]
async fn late(shutdown: Shutdown) {
    shutdown.requested().await;
    pending::<()>().await;
}

#[background_task(budget = "7s")]
async fn slow(shutdown: Shutdown) {
    shutdown.requested().await;
    sleep(Duration::from_secs(6)).await;
}

#[shutdown_plan(budget = "60s")]
struct Late {
    both: (late, slow),
}

#[tokio::test(start_paused = true)]
async fn who_is_awaited_is_said_every_five_seconds_with_the_time_left() {
    let collected = listen();
    let running = testing::start(Late { both: (late(), slow()) }).unwrap();
    sleep(Duration::from_millis(1)).await;
    let began = Instant::now();
    running.handle().request_now("the test");
    running.stopped().await;
    let lines = collected.lines().into_iter().filter(|line| line.message.starts_with("still waiting"));
    let lines: Vec<_> = lines
        .map(|line| {
            assert_eq!(
                (line.level, line.spans.as_slice()),
                (Level::INFO, &["shutdown{plan=Late}".to_owned()][..])
            );
            let (members, left) = (line.field("members").to_owned(), line.field("left").to_owned());
            ((line.at - began).as_secs(), line.message, members, left)
        })
        .collect();
    let line = |at, members: &str, left: &str| {
        (at, format!("still waiting for {members}, {left} left"), members.to_owned(), left.to_owned())
    };
    assert_eq!(lines, [line(5, "late, slow", "53s"), line(10, "late", "48s")]);
}

#[tokio::test(start_paused = true)]
async fn an_overrun_is_a_warning_and_so_is_a_stop_of_overruns() {
    let collected = listen();
    let report = stop(testing::start(Late { both: (late(), slow()) }).unwrap()).await;
    assert!(!report.is_clean());
    assert_eq!(verdict(&collected, "late", "stopped only by force").0, Level::WARN);
    assert_eq!(verdict(&collected, "slow", "stopped").0, Level::INFO);
    let last = collected.lines().pop().unwrap();
    assert_eq!((last.level, last.message.as_str()), (Level::WARN, "shutdown is over, and some were late"));
    assert!(last.field("members").starts_with("late TimedOut 12s, slow Completed 6s"), "{last:?}");
}

#[background_task]
async fn parent(shutdown: Shutdown) {
    drop(shutdown.spawn(async { Err::<(), _>("the mail was not sent") }));
    drop(shutdown.spawn(async { panic!("a child's panic") }));
    shutdown.requested().await;
}

#[shutdown_plan(budget = "60s")]
struct Children {
    work: parent,
}

#[tokio::test(start_paused = true)]
async fn of_a_child_that_nobody_awaits_only_a_panic_is_told() {
    let collected = listen();
    assert!(stop(testing::start(Children { work: parent() }).unwrap()).await.is_clean());
    let errors: Vec<_> = collected.lines().into_iter().filter(|line| line.level == Level::ERROR).collect();
    assert_eq!(errors.len(), 1, "{errors:#?}");
    assert_eq!((errors[0].field("member"), errors[0].field("panic")), ("parent", "a child's panic"));
}

#[resource(close = close_broken)]
struct Broken;

async fn close_broken(_: &Broken) -> Result<(), String> {
    Err("two records were not flushed".to_owned())
}

#[resource(close = close_bomb)]
struct Bomb;

async fn close_bomb(_: &Bomb) {
    panic!("the close exploded");
}

#[resource(close = async |_: &Kept| ())]
struct Kept;

#[shutdown_hook]
async fn bad_hook() -> Result<(), String> {
    Err("the cluster is gone".to_owned())
}

#[background_task]
async fn bad_end(shutdown: Shutdown) -> Result<(), String> {
    shutdown.requested().await;
    Err("the offset was not committed".to_owned())
}

#[background_task]
async fn bad_panic(shutdown: Shutdown) {
    shutdown.requested().await;
    panic!("at the very end");
}

/// Its work is done, and what it started keeps the lease.
#[background_task(budget = "3s")]
async fn leaky(kept: Lease<Kept>, shutdown: Shutdown) {
    shutdown.requested().await;
    tokio::spawn(async move {
        let _kept = kept;
        pending::<()>().await;
    });
}

#[shutdown_plan(budget = "60s")]
struct Losses {
    leave: bad_hook,
    work: (bad_end, bad_panic, leaky),
    stores: (Resource<Broken>, Resource<Bomb>, Resource<Kept>),
}

#[tokio::test(start_paused = true)]
async fn an_error_or_a_panic_of_a_task_a_hook_or_a_close_is_an_error_with_its_name() {
    let collected = listen();
    let kept = Resource::new(Kept);
    let plan = Losses {
        leave: bad_hook(),
        work: (bad_end(), bad_panic(), leaky(kept.lease())),
        stores: (Resource::new(Broken), Resource::new(Bomb), kept),
    };
    stop(testing::start(plan).unwrap()).await;
    for (member, outcome, text) in [
        ("bad_hook", "Failed", "the cluster is gone"),
        ("bad_end", "Failed", "the offset was not committed"),
        ("bad_panic", "Panicked", "at the very end"),
        ("Broken", "Failed", "two records were not flushed"),
        ("Bomb", "Panicked", "the close exploded"),
        ("leaky", "Leaked", ""),
        ("Kept", "Leaked", ""),
    ] {
        let expected = (Level::ERROR, outcome.to_owned(), text.to_owned());
        assert_eq!(verdict(&collected, member, "did not stop well"), expected, "{member}");
    }
    let leaked = &collected.of("leaky")[0];
    assert!(leaked.field("holders").contains("`Kept` held by `leaky`, leased at "), "{leaked:?}");
    // Where it happened, as soon as it happened: in the task's own span.
    let own = &collected.of("bad_end")[0];
    assert_eq!(
        (own.message.as_str(), own.spans.as_slice()),
        ("a task failed", &["member{name=bad_end}".to_owned()][..])
    );
    assert_eq!(own.field("error"), "the offset was not committed");
    let own = &collected.of("bad_panic")[0];
    assert_eq!((own.message.as_str(), own.field("panic")), ("a task panicked", "at the very end"));
    let last = collected.lines().pop().unwrap();
    assert_eq!((last.level, last.message.as_str()), (Level::ERROR, "shutdown is over, and was not clean"));
}
