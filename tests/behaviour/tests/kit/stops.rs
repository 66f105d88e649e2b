//! A graceful stop at every await of a task, a part or a plan.

use std::sync::{Arc, Mutex};

use shutdown_runtime::testing::{EveryAwait, ReportAssertions as _, SweptUntil, alone, stop_at_every_await};
use shutdown_runtime::{Outcome, Resource, Shutdown, background_task, shutdown_plan};
use tokio::task::yield_now;
use tokio::time::sleep;

use crate::database::{Database, Tables};
use crate::support::{failure, millis, seconds};

type Steps = Arc<Mutex<Vec<&'static str>>>;

#[background_task(budget = "5s", on_exit = "shutdown")]
async fn three_steps(steps: Steps, shutdown: Shutdown) {
    for step in ["one", "two", "three"] {
        let taken = async {
            sleep(seconds(1)).await;
            steps.lock().unwrap().push(step);
        };
        if shutdown.unit(taken).await.is_none() {
            return;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn each_await_is_stopped_at_once() {
    let seen = Mutex::new(Vec::new());
    let swept = stop_at_every_await(
        async || {
            let steps = Steps::default();
            (alone(three_steps(steps.clone())), steps)
        },
        async |steps: Steps, report| {
            report.assert_clean();
            seen.lock().unwrap().push(steps.lock().unwrap().len());
        },
    )
    .await;
    // The step at hand is taken to its end, and none begins after it; the fourth run has no further await.
    assert_eq!(*seen.lock().unwrap(), [1, 2, 3, 3]);
    assert_eq!((swept.awaits, swept.until), (3, SweptUntil::End));
}

/// Cuts what it does: the `select!` of the guide's readers.
#[background_task(budget = "5s")]
async fn cuts_its_work(database: &Database, shutdown: Shutdown) -> Result<(), &'static str> {
    let work = async {
        for message in 0..2 {
            let mut transaction = database.begin().await?;
            transaction.insert_effect(message).await;
            transaction.commit().await;
        }
        Ok::<_, &str>(())
    };
    if let Some(result) = shutdown.run_until_requested(work).await {
        result?;
    }
    shutdown.requested().await;
    Ok(())
}

fn with_database(database: Database) -> (impl shutdown_runtime::Plan, Arc<Mutex<Tables>>) {
    let tables = database.tables();
    let database = Resource::new(database);
    (alone(cuts_its_work(&database)).with(database), tables)
}

#[tokio::test(start_paused = true)]
async fn a_failure_names_the_await_who_waited_and_the_timeline() {
    let text = failure(stop_at_every_await(
        async || with_database(Database::new(1, millis(200))),
        async |tables: Arc<Mutex<Tables>>, _| {
            assert_ne!(tables.lock().unwrap().effects.len(), 1, "both or none");
        },
    ))
    .await;
    assert!(
        text.starts_with("stopped at await 4, where `cuts_its_work` waited, 600ms after the start"),
        "{text}"
    );
    for part in ["both or none", "critical path", "`cuts_its_work`", "SHUTDOWN_AWAIT=4 cargo test -- --exact"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[background_task]
async fn waits(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[background_task(every = "10s")]
async fn ticks(steps: Steps) {
    steps.lock().unwrap().push("begun");
    sleep(millis(100)).await;
    steps.lock().unwrap().push("done");
}

#[shutdown_plan(part)]
struct Jobs {
    jobs: ticks,
}

#[shutdown_plan(budget = "60s", lame_duck = "5s")]
struct Service {
    ingress: waits,
    background: Jobs,
}

#[tokio::test(start_paused = true)]
async fn the_tasks_of_a_plan_and_its_parts_are_counted_together() {
    let swept = EveryAwait::new()
        .at_most(10)
        .stop(
            async || {
                let steps = Steps::default();
                (Service { ingress: waits(), background: Jobs { jobs: ticks(steps.clone()) } }, steps)
            },
            async |steps: Steps, report| {
                report.assert_clean().assert_before("waits", "ticks").assert_within(millis(200));
                let steps = steps.lock().unwrap();
                assert!(steps.len().is_multiple_of(2), "no iteration is cut: {steps:?}");
            },
        )
        .await;
    assert_eq!((swept.awaits, swept.until), (10, SweptUntil::Limit));
}

#[tokio::test(start_paused = true)]
async fn what_only_waits_for_its_stop_has_one_await() {
    let swept = stop_at_every_await(
        async || (alone(waits()), ()),
        async |(), report| {
            report.assert_clean();
        },
    )
    .await;
    assert_eq!((swept.awaits, swept.until), (1, SweptUntil::TimeOver));
}

/// Never waits for anything that the clock brings, and is deaf to its stop.
#[background_task(budget = "1s")]
async fn spins(shutdown: Shutdown) {
    let _deaf = shutdown;
    for _ in 0_u64.. {
        yield_now().await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_task_that_spins_does_not_hold_the_clock() {
    let check = async |(), report: &shutdown_runtime::Report| {
        report.assert_outcome("spins", &Outcome::TimedOut).assert_within(seconds(2));
    };
    let sweep = EveryAwait::new().at_most(3);
    let swept = sweep.stop(async || (alone(spins()), ()), check).await;
    assert_eq!((swept.awaits, swept.until), (3, SweptUntil::Limit));
}

#[tokio::test(start_paused = true)]
async fn a_failed_assertion_shows_the_timeline_once() {
    let text = failure(stop_at_every_await(
        async || (alone(waits()), ()),
        async |(), report| {
            report.assert_outcome("waits", &Outcome::TimedOut);
        },
    ))
    .await;
    assert_eq!(text.matches("critical path").count(), 1, "{text}");
    let text =
        failure(stop_at_every_await(async || (alone(waits()), ()), async |(), _| panic!("mine"))).await;
    assert_eq!(text.matches("critical path").count(), 1, "{text}");
}
