//! The style guide's consumer, stopped and killed at every await, by the numbers of `docs/defects.md`.

use std::sync::{Arc, Mutex};

use shutdown_runtime::testing::{EveryAwait, ReportAssertions as _, TestStop, alone, lease};
use shutdown_runtime::{Resource, Shutdown, background_task};
use tokio::time::sleep;

use crate::database::{Database, Tables};
use crate::support::millis;
use crate::topic::Topic;

/// Messages that could not be handled.
#[derive(Clone, Debug, Default)]
struct DeadLetters(Arc<Mutex<Vec<u32>>>);

impl DeadLetters {
    async fn add(&self, message: u32) {
        sleep(millis(1)).await;
        self.0.lock().unwrap().push(message);
    }

    fn all(&self) -> Vec<u32> {
        self.0.lock().unwrap().clone()
    }
}

/// Only the fetch looks at the stop; what was fetched is handled, put aside or not, and committed.
#[background_task(budget = "15s")]
async fn order_consumer(
    database: &Database,
    topic: Topic,
    dead_letters: DeadLetters,
    last: u32,
    shutdown: Shutdown,
) -> Result<(), &'static str> {
    while let Some(message) = shutdown.run_until_requested(topic.deliver()).await {
        if handle(database, message).await.is_err() {
            dead_letters.add(message).await;
        }
        topic.commit(message).await;
        if message == last {
            shutdown.requested().await;
        }
    }
    Ok(())
}

fn is_poison(message: u32) -> bool {
    message % 3 == 1
}

/// The row that remembers the message and its effect are one transaction.
async fn handle(database: &Database, message: u32) -> Result<(), &'static str> {
    let mut transaction = database.begin().await?;
    if transaction.insert_seen(message).await {
        if is_poison(message) {
            return Err("no order event");
        }
        transaction.insert_effect(message).await;
        transaction.commit().await;
    }
    Ok(())
}

/// What survives a kill.
#[derive(Clone, Debug, Default)]
struct World {
    tables: Arc<Mutex<Tables>>,
    topic: Topic,
    dead_letters: DeadLetters,
}

impl World {
    fn database(&self) -> Database {
        Database::of(&self.tables, 1, millis(1))
    }

    fn effects(&self) -> Vec<u32> {
        self.tables.lock().unwrap().effects.clone()
    }

    /// The messages whose offset is committed, good or not.
    fn committed(&self, is_bad: bool) -> Vec<u32> {
        (0..self.topic.committed()).filter(|message| is_poison(*message) == is_bad).collect()
    }
}

#[tokio::test(start_paused = true)]
async fn defects_17_and_19_a_stop_cuts_neither_handling_nor_commit_nor_dead_letter() {
    let swept = EveryAwait::new()
        .at_most(30)
        .stop(
            async || {
                let world = World::default();
                let (database, topic) = (Resource::new(world.database()), world.topic.clone());
                let task = order_consumer(&database, topic, world.dead_letters.clone(), u32::MAX);
                (alone(task).with(database), world)
            },
            async |world: World, report| {
                // Clean: the stop is nobody's error.
                report.assert_clean();
                assert_eq!(world.effects(), world.committed(false), "applied once, and committed");
                assert_eq!(world.dead_letters.all(), world.committed(true), "put aside once, and committed");
            },
        )
        .await;
    assert_eq!(swept.awaits, 30);
}

/// A kill is no stop: a message may be put aside twice, but none is lost, and no effect happens twice.
#[tokio::test(start_paused = true)]
async fn defects_18_and_19_a_kill_loses_neither_effect_nor_dead_letter() {
    let swept = EveryAwait::new()
        .at_most(40)
        .kill(
            async || World::default(),
            async |world: &World| {
                let stop = TestStop::new();
                let database = lease(world.database());
                let (topic, dead_letters) = (world.topic.clone(), world.dead_letters.clone());
                let run = order_consumer::body(&database, topic, dead_letters, 4, stop.shutdown());
                let end = async {
                    until(world, 5).await;
                    stop.stop("all are done");
                };
                tokio::join!(run, end).0
            },
            async |world: &World| {
                assert_eq!(world.effects(), world.committed(false), "each effect once");
                let mut put_aside = world.dead_letters.all();
                put_aside.dedup();
                assert_eq!(put_aside, world.committed(true), "no dead letter lost");
            },
        )
        .await;
    assert!(swept.awaits > 20, "{swept:?}");
}

/// Until that many messages are done.
async fn until(world: &World, messages: u32) {
    while world.topic.committed() < messages {
        sleep(millis(1)).await;
    }
}
