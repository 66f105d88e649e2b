//! Tasks start bottom to top, and readiness turns on once all have started: spawned, or by their own word
//! (`ready = "explicit"`).

use std::time::Duration;

use shutdown_runtime::{
    Outcome, Readiness, Reason, Report, Resource, Running, Shutdown, background_task, shutdown_plan, testing,
};
use tokio::time::{Instant, sleep, timeout};

use crate::support::{Db, Log, millis, seconds};

#[background_task(budget = "1s")]
async fn plain(name: &'static str, log: Log, shutdown: Shutdown) {
    log.add(format!("{name} starts"));
    shutdown.requested().await;
    log.add(format!("{name} told"));
}

/// Is ready after so long, and says so twice.
#[background_task(budget = "1s", ready = "explicit", ready_within = "10s")]
async fn warms_up(name: &'static str, takes: Duration, log: Log, shutdown: Shutdown) {
    log.add(format!("{name} starts"));
    if shutdown.sleep(takes).await {
        log.add(format!("{name} ready"));
        shutdown.ready();
        shutdown.ready();
        shutdown.requested().await;
    }
    log.add(format!("{name} told"));
}

#[shutdown_plan(budget = "30s")]
struct Service {
    ingress: plain,
    workers: (warms_up, plain),
    cache: warms_up,
    consumer: plain,
    storage: Resource<Db>,
}

fn service(log: &Log, workers: u64, cache: u64) -> Service {
    let db = Resource::new(Db(log.clone()));
    Service {
        ingress: plain("ingress", log.clone()),
        workers: (warms_up("workers", seconds(workers), log.clone()), plain("beside", log.clone())),
        cache: warms_up("cache", seconds(cache), log.clone()),
        consumer: plain("consumer", log.clone()),
        storage: db,
    }
}

/// When readiness came on, if it did within a minute.
async fn ready_after(readiness: &Readiness) -> Option<Duration> {
    let began = Instant::now();
    let on = async {
        while !readiness.is_ready() {
            sleep(millis(100)).await;
        }
    };
    timeout(seconds(60), on).await.ok().map(|()| began.elapsed())
}

/// The report of a plan that stops, which none of these takes long to do.
async fn ended(running: Running) -> Report {
    timeout(seconds(120), running.stopped()).await.expect("it stops")
}

fn outcomes<'a>(report: &'a Report, name: &str) -> Vec<&'a Outcome> {
    report.members().filter(|member| member.name == name).map(|member| &member.outcome).collect()
}

#[shutdown_plan(budget = "30s")]
struct Spawned {
    upper: plain,
    middle: (plain, plain),
    lower: plain,
}

#[tokio::test(start_paused = true)]
async fn tasks_start_bottom_to_top_and_all_have_when_start_returns() {
    let log = Log::default();
    let task = |name| plain(name, log.clone());
    let plan = Spawned { upper: task("upper"), middle: (task("one"), task("two")), lower: task("lower") };
    let running = testing::start(plan).unwrap();
    assert!(running.readiness().is_ready(), "nothing is waited for");
    sleep(millis(1)).await;
    assert_eq!(log.lines(), ["lower starts", "one starts", "two starts", "upper starts"]);
}

#[tokio::test(start_paused = true)]
async fn the_phases_above_and_readiness_wait_for_those_who_say_when_they_are_ready() {
    let log = Log::default();
    let running = testing::start(service(&log, 2, 3)).unwrap();
    let ready = ready_after(&running.readiness()).await;
    assert_eq!(
        log.lines(),
        [
            "consumer starts",
            "cache starts",
            "cache ready",
            "workers starts",
            "beside starts",
            "workers ready",
            "ingress starts"
        ]
    );
    let ready = ready.unwrap();
    assert!(ready >= seconds(5) && ready < millis(5_200), "{ready:?}");
    running.handle().request_now("the test");
    let report = ended(running).await;
    assert!(report.is_clean(), "{report}");
}

#[tokio::test(start_paused = true)]
async fn one_that_takes_too_long_fails_the_start_and_what_had_started_stops_in_order() {
    let log = Log::default();
    let running = testing::start(service(&log, 11, 3)).unwrap();
    let readiness = running.readiness();
    let began = Instant::now();
    let report = ended(running).await;
    assert_eq!(began.elapsed(), seconds(13), "3 s of the cache, and the ten that the workers have");
    let text = "it did not say within 10s that it is ready";
    assert_eq!(report.reason, Reason::Failed("warms_up", text.into()), "{report}");
    assert_eq!(
        log.lines(),
        [
            "consumer starts",
            "cache starts",
            "cache ready",
            "workers starts",
            "beside starts",
            // Never: "ingress starts". Those of one phase are told in the order of their places.
            "workers told",
            "beside told",
            "cache told",
            "consumer told",
            "Db closed"
        ]
    );
    assert!(!readiness.is_ready());
    // ingress, beside, consumer.
    assert_eq!(
        outcomes(&report, "plain"),
        [&Outcome::NotStarted, &Outcome::Completed, &Outcome::Completed],
        "{report}"
    );
    assert_eq!(report.exit_code(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_stop_while_it_is_waited_for_starts_no_more_and_has_no_window() {
    let log = Log::default();
    let played = testing::Script::new().terminate(seconds(1)).run(service(&log, 2, 3)).await;
    let played = played.unwrap();
    assert_eq!(
        log.lines(),
        ["consumer starts", "cache starts", "cache told", "consumer told", "Db closed"],
        "{}",
        played.report
    );
    assert_eq!(outcomes(&played.report, "warms_up"), [&Outcome::NotStarted, &Outcome::Completed]);
    assert!(played.report.is_clean(), "{}", played.report);
    assert_eq!((played.exit_code(), played.report.window), (0, seconds(0)));
}

/// Ends before it is ready, in whatever way the test wants.
#[background_task(ready = "explicit", on_exit = "continue", on_error = "log")]
async fn gives_up(fails: bool, shutdown: Shutdown) -> Result<(), String> {
    shutdown.sleep(seconds(1)).await;
    if fails { Err(String::from("no broker")) } else { Ok(()) }
}

#[background_task(ready = "explicit")]
async fn panics(shutdown: Shutdown) {
    shutdown.sleep(seconds(1)).await;
    panic!("no partition");
}

#[shutdown_plan(budget = "30s")]
struct Doomed {
    upper: plain,
    ends: Option<gives_up>,
    dies: Option<panics>,
    lower: plain,
}

async fn doomed(ends: Option<gives_up>, dies: Option<panics>) -> Report {
    let log = Log::default();
    let plan = Doomed { upper: plain("upper", log.clone()), ends, dies, lower: plain("lower", log.clone()) };
    let running = testing::start(plan).unwrap();
    let readiness = running.readiness();
    let began = Instant::now();
    let report = ended(running).await;
    assert_eq!(began.elapsed(), seconds(1), "not the whole `ready_within`\n{report}");
    assert_eq!(log.lines(), ["lower starts", "lower told"], "{report}");
    assert!(!readiness.is_ready());
    assert_eq!(outcomes(&report, "plain"), [&Outcome::NotStarted, &Outcome::Completed]);
    assert_eq!(report.exit_code(), 1);
    report
}

#[tokio::test(start_paused = true)]
async fn one_that_ends_before_it_is_ready_fails_the_start() {
    let report = doomed(Some(gives_up(false)), None).await;
    let text = "it ended before it said that it is ready (`shutdown.ready()`)";
    assert_eq!(report.reason, Reason::Failed("gives_up", text.into()));
    assert_eq!(outcomes(&report, "gives_up"), [&Outcome::Failed(text.to_owned())]);
    let report = doomed(Some(gives_up(true)), None).await;
    assert_eq!(report.reason, Reason::Failed("gives_up", "no broker".into()));
    let report = doomed(None, Some(panics())).await;
    assert_eq!(report.reason, Reason::Panicked("panics", "no partition".into()));
}

/// A one-off job that is ready, and then done.
#[background_task(ready = "explicit", on_exit = "continue")]
async fn migrates(shutdown: Shutdown) {
    shutdown.sleep(seconds(1)).await;
    shutdown.ready();
}

/// A periodic one is ready after its first iteration.
#[background_task(every = "1s", ready = "explicit")]
async fn polls(seen: &mut u32, log: Log, shutdown: Shutdown) {
    sleep(seconds(1)).await;
    *seen += 1;
    if *seen == 1 {
        log.add("polled");
    }
    shutdown.ready();
}

/// Parts start within their phase; a phase has started when its part has.
#[shutdown_plan(part)]
struct Mesh {
    upper: plain,
    lower: (migrates, polls),
}

#[shutdown_plan(budget = "40s")]
struct WithPart {
    first: plain,
    mesh: Mesh,
    #[shutdown_order(after = [first])]
    aside: warms_up,
    last: plain,
}

#[tokio::test(start_paused = true)]
async fn parts_and_phases_beside_each_other_are_waited_for_together() {
    let log = Log::default();
    let task = |name| plain(name, log.clone());
    let plan = WithPart {
        first: task("first"),
        mesh: Mesh { upper: task("upper"), lower: (migrates(), polls(0, log.clone())) },
        aside: warms_up("aside", seconds(4), log.clone()),
        last: task("last"),
    };
    let running = testing::start(plan).unwrap();
    let ready = ready_after(&running.readiness()).await.unwrap();
    assert!(ready >= seconds(4) && ready < millis(4_200), "beside the part, not after it: {ready:?}");
    assert_eq!(
        log.lines(),
        ["last starts", "aside starts", "polled", "upper starts", "aside ready", "first starts"]
    );
    running.handle().request_now("the test");
    let report = ended(running).await;
    assert!(report.is_clean(), "{report}");
}

/// Fails as soon as it runs; on one thread that is while what stands above is waited for.
#[background_task]
async fn broken(shutdown: Shutdown) -> Result<(), String> {
    shutdown.sleep(seconds(2)).await;
    Err(String::from("no such topic"))
}

#[shutdown_plan(budget = "30s")]
struct Fragile {
    upper: plain,
    slow: warms_up,
    broken: broken,
    lower: plain,
    storage: Resource<Db>,
}

#[tokio::test(start_paused = true)]
async fn a_member_that_fails_while_others_start_stops_what_had_started_in_order() {
    let log = Log::default();
    let plan = Fragile {
        upper: plain("upper", log.clone()),
        slow: warms_up("slow", seconds(5), log.clone()),
        broken: broken(),
        lower: plain("lower", log.clone()),
        storage: Resource::new(Db(log.clone())),
    };
    let running = testing::start(plan).unwrap();
    let readiness = running.readiness();
    let report = ended(running).await;
    assert_eq!(report.reason, Reason::Failed("broken", "no such topic".into()));
    assert_eq!(log.lines(), ["lower starts", "slow starts", "slow told", "lower told", "Db closed"]);
    assert_eq!(outcomes(&report, "plain"), [&Outcome::NotStarted, &Outcome::Completed]);
    assert!(!readiness.is_ready());
}

#[tokio::test(start_paused = true)]
async fn the_word_of_one_who_need_not_say_it_changes_nothing() {
    #[background_task(budget = "1s")]
    async fn eager(shutdown: Shutdown) {
        shutdown.ready();
        shutdown.requested().await;
        shutdown.ready();
    }

    #[shutdown_plan(budget = "10s")]
    struct Eager {
        only: eager,
    }

    let running = testing::start(Eager { only: eager() }).unwrap();
    assert!(running.readiness().is_ready());
    running.handle().request_now("the test");
    assert!(ended(running).await.is_clean());
}
