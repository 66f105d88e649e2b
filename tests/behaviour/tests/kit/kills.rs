//! A kill at every await: the guide's defect L18 is found, and its mended twin passes.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

use shutdown_runtime::testing::{
    EveryAwait, ReportAssertions as _, SweptUntil, alone, kill_at_every_await, lease,
};
use shutdown_runtime::{Resource, background_task, shutdown_plan};
use tokio::task::yield_now;
use tokio::time::sleep;

use crate::database::{Database, Tables};
use crate::support::{failure, millis, seconds};
use crate::topic::Topic;

/// L18: the row that says "seen" is committed before the effect.
#[background_task(every = "1s", budget = "10s")]
async fn seen_before_effect(database: &Database, topic: Topic) -> Result<(), &'static str> {
    let message = topic.deliver().await;
    let mut transaction = database.begin().await?;
    let new = transaction.insert_seen(message).await;
    transaction.commit().await;
    if new {
        let mut transaction = database.begin().await?;
        transaction.insert_effect(message).await;
        transaction.commit().await;
    }
    topic.commit(message).await;
    Ok(())
}

/// Its mended twin: both in one transaction.
#[background_task(every = "1s", budget = "10s")]
async fn seen_with_effect(database: &Database, topic: Topic) -> Result<(), &'static str> {
    let message = topic.deliver().await;
    let mut transaction = database.begin().await?;
    if transaction.insert_seen(message).await {
        transaction.insert_effect(message).await;
        transaction.commit().await;
    }
    topic.commit(message).await;
    Ok(())
}

/// What survives a kill: the server's tables and the topic, and not the process's connections.
#[derive(Clone, Debug, Default)]
struct World {
    tables: Arc<Mutex<Tables>>,
    topic: Topic,
}

impl World {
    fn database(&self) -> Database {
        Database::of(&self.tables, 1, millis(1))
    }
}

async fn defect(world: &World) -> Result<(), &'static str> {
    seen_before_effect::body(&lease(world.database()), world.topic.clone()).await
}

async fn mended(world: &World) -> Result<(), &'static str> {
    seen_with_effect::body(&lease(world.database()), world.topic.clone()).await
}

async fn once(world: &World) {
    assert_eq!(world.topic.committed(), 1, "the message is done");
    assert_eq!(world.tables.lock().unwrap().effects, [0], "its effect happens once");
}

#[tokio::test(start_paused = true)]
async fn the_lost_effect_of_l18_is_found() {
    let text = failure(kill_at_every_await(
        async || World::default(),
        async |world: &World| defect(world).await,
        async |world: &World| once(world).await,
    ))
    .await;
    // Deliver, begin, insert, commit; then the second transaction begins.
    assert!(text.contains("killed at await 5, 4ms after the start"), "{text}");
    assert!(text.contains("its effect happens once"), "{text}");
    assert!(text.contains("SHUTDOWN_AWAIT=5 cargo test"), "{text}");
}

#[tokio::test(start_paused = true)]
async fn its_mended_twin_passes() {
    let swept = kill_at_every_await(
        async || World::default(),
        async |world: &World| mended(world).await,
        async |world: &World| once(world).await,
    )
    .await;
    assert_eq!((swept.awaits, swept.until), (6, SweptUntil::End));
}

#[shutdown_plan(part)]
struct Consumers {
    defect: Option<seen_before_effect>,
    mended: Option<seen_with_effect>,
}

/// A stop never cuts an iteration, so that even the defect shows itself only by a kill.
#[tokio::test(start_paused = true)]
async fn a_graceful_stop_loses_nothing_of_either() {
    for is_mended in [false, true] {
        let swept = EveryAwait::new()
            .at_most(20)
            .stop(
                async || {
                    let world = World::default();
                    let (database, topic) = (Resource::new(world.database()), world.topic.clone());
                    let defect = (!is_mended).then(|| seen_before_effect(&database, topic.clone()));
                    let mended = is_mended.then(|| seen_with_effect(&database, topic));
                    (alone(Consumers { defect, mended }).with(database), world)
                },
                async |world: World, report| {
                    report.assert_clean();
                    let effects = world.tables.lock().unwrap().effects.clone();
                    let done: Vec<_> = (0..world.topic.committed()).collect();
                    assert_eq!(effects, done, "whatever was begun is done");
                },
            )
            .await;
        assert_eq!(swept.awaits, 20);
    }
}

#[tokio::test(start_paused = true)]
async fn one_await_alone_can_be_run() {
    let run = async |number: usize| {
        EveryAwait::new()
            .only(number)
            .kill(
                async || World::default(),
                async |world: &World| defect(world).await,
                async |world: &World| once(world).await,
            )
            .await
    };
    let swept = run(1).await;
    assert_eq!((swept.awaits, swept.until), (1, SweptUntil::Only));
    let swept = run(8).await;
    assert_eq!(swept.until, SweptUntil::Only, "after the effect, the defect loses nothing");
    let text = failure(async move { run(5).await }).await;
    assert!(text.contains("await 5"), "{text}");
}

#[tokio::test(start_paused = true)]
async fn a_fresh_task_that_fails_or_never_ends_is_told() {
    let text = failure(kill_at_every_await(
        async || AtomicU32::new(0),
        async |runs: &AtomicU32| {
            sleep(millis(1)).await;
            if runs.fetch_add(1, Relaxed) == 0 { Err("no") } else { Ok(()) }
        },
        async |_: &AtomicU32| {},
    ))
    .await;
    assert!(text.contains("the fresh task failed: no"), "{text}");
    let text = failure(async {
        EveryAwait::new()
            .within(seconds(5))
            .kill(async || (), async |(): &()| std::future::pending::<()>().await, async |(): &()| {})
            .await
    })
    .await;
    assert!(text.contains("the fresh task did not end within 5s"), "{text}");
}

#[tokio::test(start_paused = true)]
async fn a_task_without_end_is_swept_up_to_the_limit() {
    let world = async || AtomicU32::new(0);
    let endless = async |runs: &AtomicU32| {
        if runs.fetch_add(1, Relaxed) == 0 {
            loop {
                sleep(millis(1)).await;
            }
        }
    };
    let swept = EveryAwait::new().at_most(20).kill(world, endless, async |_: &AtomicU32| {}).await;
    assert_eq!((swept.awaits, swept.until), (20, SweptUntil::Limit));
}

#[tokio::test(start_paused = true)]
async fn a_task_that_spins_does_not_hold_the_clock() {
    let text = failure(async {
        let spins = async |(): &()| {
            for _ in 0_u64.. {
                yield_now().await;
            }
        };
        EveryAwait::new().within(seconds(5)).kill(async || (), spins, async |(): &()| {}).await
    })
    .await;
    assert!(text.contains("the fresh task did not end within 5s"), "{text}");
    // The first run of one that waits later than any poll that is counted.
    let world = async || AtomicU32::new(0);
    let spins_once = async |runs: &AtomicU32| {
        while runs.fetch_add(1, Relaxed) < 100_000 {
            yield_now().await;
        }
    };
    let swept = EveryAwait::new().only(200_000).kill(world, spins_once, async |_: &AtomicU32| {}).await;
    assert_eq!(swept.until, SweptUntil::End, "rests are no awaits");
}
