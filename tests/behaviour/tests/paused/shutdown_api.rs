//! What a task can do with its `Shutdown`.

use shutdown_runtime::{
    ChildError, CriticalError, Outcome, Resource, Shutdown, SpawnError, background_task, shutdown_plan,
    testing,
};
use tokio::sync::oneshot;
use tokio::time::sleep;

use crate::support::{Db, Log, millis, seconds, stop, timed_stop};

/// Hands its `Shutdown` out, so that the test can use it.
#[background_task(budget = "5s")]
async fn lends_itself(out: oneshot::Sender<Shutdown>, shutdown: Shutdown) {
    let _ = out.send(shutdown.clone());
    shutdown.requested().await;
}

#[shutdown_plan(budget = "60s")]
struct Service {
    first: lends_itself,
    storage: Resource<Db>,
}

async fn start(log: &Log) -> (shutdown_runtime::Running, Shutdown) {
    let (sender, receiver) = oneshot::channel();
    let plan = Service { first: lends_itself(sender), storage: Resource::new(Db(log.clone())) };
    let running = testing::start(plan).unwrap();
    (running, receiver.await.unwrap())
}

#[tokio::test(start_paused = true)]
async fn children_are_awaited_and_refused_once_the_phase_is_over() {
    let log = Log::default();
    let (running, shutdown) = start(&log).await;
    let (child_log, inner) = (log.clone(), shutdown.clone());
    shutdown
        .spawn(async move {
            inner.requested().await;
            sleep(seconds(2)).await;
            child_log.add("child done");
        })
        .unwrap();
    let report = stop(running).await;
    assert!(report.is_clean(), "{report}");
    assert_eq!(log.lines(), ["child done", "Db closed"]);
    assert_eq!(shutdown.spawn(async {}).unwrap_err(), SpawnError);
}

#[tokio::test(start_paused = true)]
async fn a_child_that_ignores_the_stop_is_cut_at_the_budget() {
    let log = Log::default();
    let (running, shutdown) = start(&log).await;
    let child = shutdown.spawn(std::future::pending::<()>()).unwrap();
    let (report, elapsed) = timed_stop(running).await;
    assert_eq!(report.member("lends_itself").unwrap().outcome, Outcome::TimedOut);
    assert_eq!(child.await.unwrap_err(), ChildError::Cut);
    assert!(elapsed >= seconds(5) && elapsed < millis(5_200), "{elapsed:?}");
    assert_eq!(log.lines(), ["Db closed"]);
}

#[tokio::test(start_paused = true)]
async fn a_childs_panic_goes_to_its_handle_and_is_no_outage() {
    let (running, shutdown) = start(&Log::default()).await;
    let child = shutdown.spawn(async { panic!("one bad request") }).unwrap();
    assert_eq!(child.await.unwrap_err(), ChildError::Panicked("one bad request".to_owned()));
    drop(shutdown.spawn(async { panic!("nobody looks") }).unwrap());
    sleep(seconds(1)).await;
    assert!(running.readiness().is_ready());
    assert!(stop(running).await.is_clean());
}

#[tokio::test(start_paused = true)]
async fn spawners_through_the_stop_lose_nothing() {
    // A child every millisecond: each is awaited, or its spawn says no (peers, row 13).
    let log = Log::default();
    let (running, shutdown) = start(&log).await;
    let counter = log.clone();
    let spawner = tokio::spawn(async move {
        let mut accepted = 0;
        loop {
            let counter = counter.clone();
            let child = shutdown.spawn(async move {
                sleep(millis(20)).await;
                counter.add("child done");
            });
            match child {
                Ok(_) => accepted += 1,
                Err(SpawnError) => return accepted,
            }
            sleep(millis(if accepted < 200 { 1 } else { 50 })).await;
        }
    });
    sleep(millis(30)).await;
    let report = stop(running).await;
    let accepted = spawner.await.unwrap();
    assert!(report.is_clean(), "{report}");
    assert_eq!(log.lines().iter().filter(|line| *line == "child done").count(), accepted);
    assert_eq!(log.lines().last().unwrap(), "Db closed", "none outlived its phase");
}

#[tokio::test(start_paused = true)]
async fn a_critical_section_survives_its_caller() {
    let log = Log::default();
    let (running, shutdown) = start(&log).await;
    let inner = log.clone();
    let section = shutdown.critical(async move {
        sleep(seconds(3)).await;
        inner.add("committed");
        7
    });
    // The caller's `select!` gives up on it.
    assert!(tokio::time::timeout(millis(10), section).await.is_err());
    let report = stop(running).await;
    assert!(report.is_clean(), "{report}");
    assert_eq!(log.lines(), ["committed", "Db closed"]);
}

#[tokio::test(start_paused = true)]
async fn a_critical_section_that_cannot_fit_is_refused() {
    let (running, shutdown) = start(&Log::default()).await;
    assert_eq!(shutdown.critical_within(seconds(60), async { 1 }).await, Ok(1), "no stop, no deadline");
    let child = {
        let shutdown = shutdown.clone();
        shutdown.clone().spawn(async move {
            shutdown.requested().await;
            let refused = shutdown.critical_within(seconds(60), async { 1 }).await;
            assert!(matches!(refused, Err(CriticalError::NoTime { .. })), "{refused:?}");
            assert_eq!(shutdown.critical_within(seconds(1), async { 2 }).await, Ok(2));
        })
    };
    assert!(stop(running).await.is_clean());
    child.unwrap().await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn waits_end_early_and_units_do_not_begin_after_the_stop() {
    let (running, shutdown) = start(&Log::default()).await;
    assert!(shutdown.sleep(millis(5)).await);
    assert_eq!(shutdown.unit(async { 1 }).await, Some(1));
    assert_eq!(shutdown.run_until_requested(async { 2 }).await, Some(2));
    let token = shutdown.token();
    token.cancel();
    assert!(!shutdown.is_requested(), "cancelling one's own token stops nothing of the plan");
    let waiting = {
        let shutdown = shutdown.clone();
        tokio::spawn(async move { shutdown.sleep(seconds(3_600)).await })
    };
    assert!(stop(running).await.is_clean());
    assert!(!waiting.await.unwrap());
    assert_eq!(shutdown.unit(async { 1 }).await, None);
    assert_eq!(shutdown.reason().unwrap().to_string(), "requested: the test");
}

#[tokio::test(start_paused = true)]
async fn every_child_of_many_is_cut_wherever_it_waits() {
    let log = Log::default();
    let (running, shutdown) = start(&log).await;
    let children: Vec<_> = (0..500).map(|_| shutdown.spawn(std::future::pending::<()>()).unwrap()).collect();
    let (report, elapsed) = timed_stop(running).await;
    assert_eq!(report.member("lends_itself").unwrap().outcome, Outcome::TimedOut);
    for child in children {
        assert_eq!(child.await.unwrap_err(), ChildError::Cut);
    }
    assert!(elapsed < millis(5_100), "none had to be waited for: {elapsed:?}");
}

#[tokio::test(start_paused = true)]
async fn children_may_be_spawned_from_any_thread() {
    let log = Log::default();
    let (running, shutdown) = start(&log).await;
    let inner = log.clone();
    let spawned = std::thread::spawn(move || shutdown.spawn(async move { inner.add("from elsewhere") }));
    spawned.join().unwrap().unwrap().await.unwrap();
    assert!(stop(running).await.is_clean());
    assert_eq!(log.lines(), ["from elsewhere", "Db closed"]);
}
