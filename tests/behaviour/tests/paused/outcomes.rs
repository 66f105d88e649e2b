//! Every way in which a member can end, and what the report says of it.

use std::io;

use shutdown_runtime::{
    Closing, Outcome, Reason, Resource, Shutdown, background_task, resource, shutdown_hook, shutdown_plan,
    testing,
};
use tokio::sync::mpsc;
use tokio::time::sleep;

use crate::support::{Db, Log, millis, seconds, stop, timed_stop};

#[shutdown_plan(budget = "60s")]
struct Overrun {
    first: stuck_signal,
    storage: Resource<Db>,
}

#[background_task(budget = "3s")]
async fn stuck_signal(db: &Db, shutdown: Shutdown) {
    shutdown.requested().await;
    db.0.add("told");
    std::future::pending::<()>().await;
}

#[tokio::test(start_paused = true)]
async fn an_overrun_is_aborted_named_and_the_plan_goes_on() {
    let log = Log::default();
    let db = Resource::new(Db(log.clone()));
    let plan = Overrun { first: stuck_signal(&db), storage: db };
    let (report, elapsed) = timed_stop(testing::start(plan).unwrap()).await;
    assert_eq!(report.member("stuck_signal").unwrap().outcome, Outcome::TimedOut);
    assert_eq!(report.member("Db").unwrap().outcome, Outcome::Completed, "{report}");
    assert_eq!(log.lines(), ["told", "Db closed"]);
    assert!(elapsed >= seconds(3) && elapsed < millis(3_200), "{elapsed:?}");
    assert_eq!(report.exit_code(), 1);
    let holders = &report.member("stuck_signal").unwrap().holders;
    assert_eq!(holders.len(), 1, "the lease that it still held is named");
    assert!(holders[0].place.file().ends_with("outcomes.rs"));
}

#[background_task(on_exit = "fail")]
async fn fails(after: u64, shutdown: Shutdown) -> io::Result<()> {
    shutdown.sleep(seconds(after)).await;
    Err(io::Error::other("the disk is gone"))
}

#[background_task]
async fn panics(shutdown: Shutdown) {
    shutdown.sleep(seconds(5)).await;
    panic!("boom {}", 7);
}

#[background_task]
async fn bystander(log: Log, shutdown: Shutdown) {
    shutdown.requested().await;
    log.add("bystander told");
}

#[shutdown_plan(budget = "60s")]
struct Failing {
    first: fails,
    second: bystander,
}

#[tokio::test(start_paused = true)]
async fn an_error_starts_the_stop_and_is_told_with_its_text() {
    let log = Log::default();
    let running = testing::start(Failing { first: fails(5), second: bystander(log.clone()) }).unwrap();
    let report = running.stopped().await;
    assert_eq!(report.reason, Reason::Failed("fails", "the disk is gone".into()));
    assert_eq!(report.member("fails").unwrap().outcome, Outcome::Failed("the disk is gone".to_owned()));
    assert_eq!(report.exit_code(), 1);
    assert_eq!(log.lines(), ["bystander told"]);
}

#[tokio::test(start_paused = true)]
async fn an_error_during_the_drain_is_a_failure() {
    let running = testing::start(Failing { first: fails(500), second: bystander(Log::default()) }).unwrap();
    let report = stop(running).await;
    assert_eq!(report.member("fails").unwrap().outcome, Outcome::Failed("the disk is gone".to_owned()));
    assert_eq!(report.exit_code(), 1);
}

#[shutdown_plan(budget = "60s")]
struct Panicking {
    first: panics,
    second: bystander,
}

#[tokio::test(start_paused = true)]
async fn a_panic_starts_the_stop_and_is_told_with_its_text() {
    let log = Log::default();
    let running = testing::start(Panicking { first: panics(), second: bystander(log.clone()) }).unwrap();
    let report = running.stopped().await;
    assert_eq!(report.reason, Reason::Panicked("panics", "boom 7".into()));
    assert_eq!(report.member("panics").unwrap().outcome, Outcome::Panicked("boom 7".to_owned()));
    assert_eq!(log.lines(), ["bystander told"], "later phases run");
}

#[background_task(on_exit = "continue")]
async fn migration(log: Log, shutdown: Shutdown) {
    shutdown.sleep(seconds(1)).await;
    log.add("migrated");
}

#[background_task(on_exit = "shutdown")]
async fn import(shutdown: Shutdown) {
    shutdown.sleep(seconds(10)).await;
}

#[background_task]
async fn returns_early(shutdown: Shutdown) {
    shutdown.sleep(seconds(1)).await;
}

#[shutdown_plan(budget = "60s")]
struct Job {
    one_off: migration,
    main: import,
    rest: bystander,
}

#[tokio::test(start_paused = true)]
async fn a_task_may_be_the_natural_end() {
    let log = Log::default();
    let plan = Job { one_off: migration(log.clone()), main: import(), rest: bystander(log.clone()) };
    let report = testing::start(plan).unwrap().stopped().await;
    assert_eq!(report.reason, Reason::Finished("import"));
    assert_eq!(log.lines(), ["migrated", "bystander told"]);
    assert_eq!(report.exit_code(), 0, "{report}");
}

#[shutdown_plan(budget = "60s")]
struct EndsEarly {
    first: returns_early,
    second: bystander,
}

#[tokio::test(start_paused = true)]
async fn a_task_that_just_returns_is_a_failure() {
    let plan = EndsEarly { first: returns_early(), second: bystander(Log::default()) };
    let report = testing::start(plan).unwrap().stopped().await;
    assert!(matches!(report.reason, Reason::Failed("returns_early", _)), "{report}");
    assert!(matches!(report.member("returns_early").unwrap().outcome, Outcome::Failed(_)));
    assert_eq!(report.exit_code(), 1);
}

#[shutdown_plan(budget = "60s")]
struct AllEnd {
    only: Vec<migration>,
}

#[tokio::test(start_paused = true)]
async fn when_all_tasks_have_ended_the_service_has() {
    let log = Log::default();
    let report = testing::start(AllEnd { only: vec![migration(log.clone()), migration(log)] })
        .unwrap()
        .stopped()
        .await;
    assert_eq!(report.reason, Reason::AllEnded);
    assert_eq!(report.exit_code(), 0);
}

#[background_task(stop = "drop", budget = "1s")]
async fn nothing_to_lose(log: Log) {
    struct Dropped(Log);
    impl Drop for Dropped {
        fn drop(&mut self) {
            self.0.add("dropped");
        }
    }
    let _dropped = Dropped(log);
    std::future::pending::<()>().await;
}

#[shutdown_plan(budget = "60s")]
struct Dropping {
    only: nothing_to_lose,
}

#[tokio::test(start_paused = true)]
async fn a_task_with_nothing_to_lose_is_dropped_and_excused() {
    let log = Log::default();
    let running = testing::start(Dropping { only: nothing_to_lose(log.clone()) }).unwrap();
    sleep(millis(1)).await;
    let (report, elapsed) = timed_stop(running).await;
    assert_eq!(report.member("nothing_to_lose").unwrap().outcome, Outcome::Dropped);
    assert_eq!(log.lines(), ["dropped"]);
    assert!(report.is_clean() && elapsed < millis(10));
}

#[background_task]
async fn feeder(sender: mpsc::Sender<u32>, shutdown: Shutdown) {
    let mut next = 0;
    while !shutdown.is_requested() {
        let _ = sender.send(next).await;
        next += 1;
        shutdown.sleep(millis(10)).await;
    }
}

#[background_task(stop = "input", budget = "5s")]
#[shutdown_order(after = feeder)]
async fn eater(mut receiver: mpsc::Receiver<u32>, log: Log) {
    let mut eaten = 0;
    while receiver.recv().await.is_some() {
        eaten += 1;
        sleep(millis(30)).await;
    }
    log.add(format!("ate {eaten}"));
}

#[shutdown_plan(budget = "60s")]
struct Pipeline {
    feed: feeder,
    eat: eater,
}

#[tokio::test(start_paused = true)]
async fn a_fed_task_ends_once_its_feeder_has_gone() {
    let log = Log::default();
    let (sender, receiver) = mpsc::channel(100);
    let running =
        testing::start(Pipeline { feed: feeder(sender), eat: eater(receiver, log.clone()) }).unwrap();
    sleep(millis(95)).await;
    let report = stop(running).await;
    assert!(report.is_clean(), "{report}");
    assert_eq!(log.lines(), ["ate 10"], "count in = count out (field report 59)");
}

#[resource(close = Events::flush, budget = "2s")]
struct Events(Log, Result<(), &'static str>);

impl Events {
    async fn flush(&self, closing: Closing) -> Result<(), String> {
        self.0.add(format!("{:?} left, {}", closing.time_left(), closing.reason()));
        self.1.map_err(ToOwned::to_owned)
    }
}

#[resource(close = async |_: &Hanging| std::future::pending::<()>().await, budget = "2s")]
struct Hanging;

#[resource(close = boom, budget = "2s")]
struct Panics;

async fn boom(_: &Panics) {
    panic!("close boom");
}

#[shutdown_hook(budget = "1s")]
async fn hangs() {
    std::future::pending::<()>().await;
}

#[shutdown_hook]
async fn fails_to_leave() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    Err("nobody answers".into())
}

#[shutdown_plan(budget = "60s")]
struct Troubles {
    events: Resource<Events>,
    hanging: Resource<Hanging>,
    panics: Resource<Panics>,
    hooks: (hangs, fails_to_leave),
    storage: Resource<Db>,
}

#[tokio::test(start_paused = true)]
async fn troubles_in_closes_and_hooks_are_named_and_passed() {
    let log = Log::default();
    let plan = Troubles {
        events: Resource::new(Events(log.clone(), Err("3 messages undelivered"))),
        hanging: Resource::new(Hanging),
        panics: Resource::new(Panics),
        hooks: (hangs(), fails_to_leave()),
        storage: Resource::new(Db(log.clone())),
    };
    let report = stop(testing::start(plan).unwrap()).await;
    let outcome = |name: &str| report.member(name).unwrap().outcome.clone();
    assert_eq!(outcome("Events"), Outcome::Failed("3 messages undelivered".to_owned()));
    assert_eq!(outcome("Hanging"), Outcome::TimedOut);
    assert_eq!(outcome("Panics"), Outcome::Panicked("close boom".to_owned()));
    assert_eq!(outcome("hangs"), Outcome::TimedOut);
    assert_eq!(outcome("fails_to_leave"), Outcome::Failed("nobody answers".to_owned()));
    assert_eq!(outcome("Db"), Outcome::Completed);
    assert_eq!(log.lines(), ["2s left, requested: the test", "Db closed"]);
}
