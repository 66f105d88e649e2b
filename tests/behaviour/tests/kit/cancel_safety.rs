//! Trouble with cancelled tasks in the field, by its number in the table of `tests/README.md`.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use shutdown_runtime::testing::{EveryAwait, ReportAssertions as _, Script, SweptUntil, alone, start};
use shutdown_runtime::{Outcome, Shutdown, background_task};
use tokio::sync::mpsc;
use tokio::time::sleep;

use crate::support::{millis, seconds};

type Done = Arc<AtomicU32>;
type Items = Arc<Mutex<Vec<u32>>>;

#[background_task(budget = "5s")]
async fn consumer(mut items: mpsc::Receiver<u32>, done: Done, shutdown: Shutdown) {
    while let Some(Some(_)) = shutdown.run_until_requested(items.recv()).await {
        sleep(seconds(2)).await;
        done.fetch_add(1, Relaxed);
    }
    done.fetch_add(u32::try_from(items.len()).unwrap(), Relaxed);
    shutdown.requested().await;
}

async fn queue(items: u32) -> mpsc::Receiver<u32> {
    let (sender, receiver) = mpsc::channel(64);
    for item in 0..items {
        sender.send(item).await.unwrap();
    }
    receiver
}

/// 59: an item is taken, then the task waits; SIGTERM comes meanwhile.
#[tokio::test(start_paused = true)]
async fn row_59_an_item_that_was_taken_is_done() {
    let done = Done::default();
    let plan = alone(consumer(queue(3).await, done.clone()));
    let played = Script::new().terminate(seconds(1)).run(plan).await.unwrap();
    played.report.assert_clean();
    assert_eq!(
        played.report.total.as_secs(),
        1,
        "the rest of the item, and no second one: {}",
        played.report
    );
    assert_eq!(done.load(Relaxed), 3, "one done, two left in the queue");
}

/// Writes batches of three files.
#[background_task(every = "1s", budget = "2s")]
async fn writes(directory: std::path::PathBuf, takes: Duration, batch: &mut u32) -> std::io::Result<()> {
    for file in 0..3 {
        std::fs::write(directory.join(format!("{batch}-{file}")), "whole")?;
        sleep(takes).await;
    }
    *batch += 1;
    Ok(())
}

fn directory(name: &str) -> std::path::PathBuf {
    let directory = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&directory);
    std::fs::create_dir_all(&directory).unwrap();
    directory
}

fn files(directory: &std::path::Path) -> usize {
    std::fs::read_dir(directory).unwrap().count()
}

/// 62: a batch of files is written whole or not at all; one that its budget cuts is reported.
#[tokio::test(start_paused = true)]
async fn row_62_a_batch_is_whole_or_reported() {
    let swept = EveryAwait::new()
        .at_most(10)
        .stop(
            async || {
                let directory = directory("row_62");
                (alone(writes(directory.clone(), millis(100), 0)), directory)
            },
            async |directory: std::path::PathBuf, report| {
                report.assert_clean();
                assert_eq!(files(&directory) % 3, 0);
            },
        )
        .await;
    assert_eq!(swept.awaits, 10);
    let cut = directory("row_62_cut");
    let plan = alone(writes(cut.clone(), seconds(5), 0));
    let played = Script::new().terminate(seconds(1)).run(plan).await.unwrap();
    played.report.assert_outcome("writes", &Outcome::TimedOut);
    assert_eq!(files(&cut), 1);
}

/// Sends what lies in the queue, ten at a time.
#[background_task(every = "1s", budget = "5s")]
async fn flusher(queue: Items, sent: Items) {
    let batch: Vec<_> = queue.lock().unwrap().drain(..10).collect();
    for item in batch {
        sleep(millis(10)).await;
        sent.lock().unwrap().push(item);
    }
}

/// 63: a flush of ten items is finished, wherever the stop comes.
#[tokio::test(start_paused = true)]
async fn row_63_a_flush_is_finished() {
    let swept = EveryAwait::new()
        .at_most(24)
        .stop(
            async || {
                let (queue, sent) = (Arc::new(Mutex::new((0..1_000).collect())), Items::default());
                (alone(flusher(Arc::clone(&queue), sent.clone())), (queue, sent))
            },
            async |(queue, sent): (Items, Items), report| {
                report.assert_clean();
                let (left, sent) = (queue.lock().unwrap().len(), sent.lock().unwrap().len());
                assert_eq!((left + sent, sent % 10), (1_000, 0));
            },
        )
        .await;
    assert_eq!(swept.awaits, 24);
}

/// Takes from two sources, whichever has something, and looks at the stop between two items.
#[background_task(budget = "5s")]
async fn two_sources(
    mut one: mpsc::Receiver<u32>,
    mut two: mpsc::Receiver<u32>,
    done: Done,
    shutdown: Shutdown,
) {
    loop {
        let either = async {
            tokio::select! {
                Some(item) = one.recv() => Some(item),
                Some(item) = two.recv() => Some(item),
                else => None,
            }
        };
        let Some(Some(_)) = shutdown.run_until_requested(either).await else { break };
        sleep(millis(50)).await;
        done.fetch_add(1, Relaxed);
    }
    done.fetch_add(u32::try_from(one.len() + two.len()).unwrap(), Relaxed);
    shutdown.requested().await;
}

/// 65: no event is lost between two sources and the stop.
#[tokio::test(start_paused = true)]
async fn row_65_two_sources_and_the_stop_lose_nothing() {
    let swept = EveryAwait::new()
        .stop(
            async || {
                let done = Done::default();
                (alone(two_sources(queue(4).await, queue(3).await, done.clone())), done)
            },
            async |done: Done, report| {
                report.assert_clean();
                assert_eq!(done.load(Relaxed), 7);
            },
        )
        .await;
    assert_eq!((swept.awaits, swept.until), (8, SweptUntil::TimeOver));
}

/// Two children that end at different times.
#[background_task(budget = "30s")]
async fn parent(shutdown: Shutdown) -> Result<(), String> {
    for takes in [3, 7] {
        let child = async move { sleep(seconds(takes)).await };
        shutdown.spawn(child).map(drop).map_err(|error| error.to_string())?;
    }
    shutdown.requested().await;
    Ok(())
}

/// 66: the drain ends with the last of those it waits for, and no later.
#[tokio::test(start_paused = true)]
async fn row_66_the_drain_ends_with_the_last_child() {
    let played = Script::new().terminate(seconds(1)).run(alone(parent())).await.unwrap();
    let total = played.report.assert_clean().total;
    assert!(total >= seconds(6) && total < millis(6_010), "{total:?}");
}

#[background_task(budget = "20s")]
async fn crowd(told: Done, shutdown: Shutdown) -> Result<(), String> {
    for _ in 0..1_000 {
        let (told, inner) = (told.clone(), shutdown.clone());
        let child = async move {
            inner.requested().await;
            told.fetch_add(1, Relaxed);
        };
        shutdown.spawn(child).map(drop).map_err(|error| error.to_string())?;
    }
    shutdown.requested().await;
    Ok(())
}

/// 67: tasks that were spawned and not yet polled see the stop, under a processor that is busy.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn row_67_whoever_starts_late_sees_the_stop() {
    let over = Arc::new(AtomicBool::new(false));
    let busy: Vec<_> = (0..2)
        .map(|_| {
            let over = Arc::clone(&over);
            std::thread::spawn(move || {
                while !over.load(Relaxed) {
                    std::hint::spin_loop();
                }
            })
        })
        .collect();
    for round in 0..20 {
        let told = Done::default();
        let running = start(alone(crowd(told.clone()))).unwrap();
        // From the very start on to when all wait.
        sleep(Duration::from_micros(round * 100)).await;
        running.handle().request_now("at once");
        running.stopped().await.assert_clean();
        assert_eq!(told.load(Relaxed), 1_000, "round {round}");
    }
    over.store(true, Relaxed);
    for thread in busy {
        thread.join().unwrap();
    }
}

/// 69: of several of one kind all are told.
#[tokio::test(start_paused = true)]
async fn row_69_all_eight_of_a_kind_stop() {
    let done = Done::default();
    let mut consumers = Vec::new();
    let mut senders = Vec::new();
    for _ in 0..8 {
        let (sender, items) = mpsc::channel(1);
        senders.push(sender);
        consumers.push(consumer(items, done.clone()));
    }
    let played = Script::new().terminate(seconds(1)).run(alone(consumers)).await.unwrap();
    played.report.assert_clean().assert_within(millis(10));
    assert_eq!(played.report.members().count(), 8);
    drop(senders);
}
