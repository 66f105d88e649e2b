//! Pools of connections under cancelled tasks, by the numbers of the table in `tests/README.md`.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use shutdown_runtime::testing::{EveryAwait, ReportAssertions as _, Script, alone};
use shutdown_runtime::{Lease, Resource, Shutdown, background_task, shutdown_plan};
use tokio::time::{sleep, timeout};

use crate::database::{Database, Tables};
use crate::support::{failure, millis, seconds};

/// Publishes an effect each second; the stop never cuts it.
#[background_task(every = "1s", budget = "60s")]
async fn outbox(database: &Database, next: &mut u32) -> Result<(), &'static str> {
    let mut transaction = database.begin().await?;
    transaction.insert_effect(*next).await;
    transaction.commit().await;
    *next += 1;
    Ok(())
}

/// The same, cut by the stop: what the library does not do unless it is asked to.
#[background_task(stop = "drop", budget = "60s")]
async fn cut_outbox(database: &Database) -> Result<(), &'static str> {
    for next in 0.. {
        let mut transaction = database.begin().await?;
        transaction.insert_effect(next).await;
        transaction.commit().await;
        sleep(seconds(1)).await;
    }
    Ok(())
}

/// Uses the pool once more, after the workers.
#[background_task(budget = "60s")]
async fn final_batch(database: &Database, shutdown: Shutdown) -> Result<(), &'static str> {
    shutdown.requested().await;
    let mut transaction = database.begin().await?;
    transaction.insert_effect(99).await;
    transaction.commit().await;
    Ok(())
}

#[shutdown_plan(part)]
struct Workers {
    cut: Option<cut_outbox>,
    whole: Option<outbox>,
    last: final_batch,
}

async fn sweep_the_pool(round_trip: Duration, cut: bool) {
    let swept = EveryAwait::new()
        .at_most(12)
        .within(seconds(600))
        .stop(
            async || {
                let database = Database::new(1, round_trip);
                let tables = database.tables();
                let database = Resource::new(database);
                let workers = Workers {
                    cut: cut.then(|| cut_outbox(&database)),
                    whole: (!cut).then(|| outbox(&database, 0)),
                    last: final_batch(&database),
                };
                (alone(workers).with(database), tables)
            },
            async |tables: Arc<Mutex<Tables>>, report| {
                report.assert_clean();
                assert_eq!(tables.lock().unwrap().effects.last(), Some(&99));
            },
        )
        .await;
    assert_eq!(swept.awaits, 12);
}

/// 57: a `begin` that is dropped half way poisons the connection; the next user of the pool fails.
#[tokio::test(start_paused = true)]
async fn row_57_a_stop_leaves_no_transaction_open() {
    sweep_the_pool(millis(1), false).await;
    let text = failure(sweep_the_pool(millis(1), true)).await;
    assert!(text.contains("`final_batch` Failed") && text.contains("already a transaction"), "{text}");
}

/// 58: the same with a database that takes 8 s to answer.
#[tokio::test(start_paused = true)]
async fn row_58_nor_does_it_with_a_slow_database() {
    sweep_the_pool(seconds(8), false).await;
    let text = failure(sweep_the_pool(seconds(8), true)).await;
    assert!(text.contains("already a transaction"), "{text}");
}

/// Answers 100 requests at once, whose clients go away while they wait for the pool.
#[background_task(budget = "10s")]
async fn handlers(database: &Database, pool: Lease<Database>, shutdown: Shutdown) -> Result<(), String> {
    let _ = database;
    for number in 0..100_u64 {
        let pool = pool.clone();
        let request = async move {
            let handled = async {
                let mut transaction = pool.begin().await?;
                transaction.insert_effect(0).await;
                transaction.commit().await;
                Ok::<_, &str>(())
            };
            // Most clients hang up before their connection's turn has come.
            let _ = timeout(millis(if number < 5 { 10_000 } else { 3 }), handled).await;
        };
        shutdown.spawn(request).map(drop).map_err(|error| error.to_string())?;
    }
    shutdown.requested().await;
    Ok(())
}

#[shutdown_plan(part)]
struct Served {
    ingress: handlers,
    last: final_batch,
}

/// 61: waiters of a pool that are cut leave nothing behind.
#[tokio::test(start_paused = true)]
async fn row_61_the_pool_serves_after_its_waiters_were_cut() {
    let database = Database::new(5, millis(4));
    let tables = database.tables();
    let database = Resource::new(database);
    let served = Served { ingress: handlers(&database, database.lease()), last: final_batch(&database) };
    let plan = alone(served).with(database);
    let played = Script::new().terminate(millis(2)).run(plan).await.unwrap();
    played.report.assert_clean().assert_before("handlers", "final_batch").assert_within(seconds(1));
    assert_eq!(tables.lock().unwrap().effects, [0, 0, 0, 0, 0, 99]);
}
