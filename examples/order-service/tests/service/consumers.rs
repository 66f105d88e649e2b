//! Consumers at a stop, by the rows of the collection of field reports: idle, and with a topic that is never empty.

use std::time::{Duration, Instant};

use order_service::demo::observation::{self, Observation};
use order_service::demo::service_process::Surroundings;

use crate::placed_events::{PlacedEvents, applied};
use crate::support::{self, Directory, LONGEST_START, LONGEST_STOP};

const EVENTS: usize = 3_000;

/// Puts as many events on the topic as nobody works off within this test's first life of the service.
async fn fill(surroundings: &Surroundings) {
    let events = PlacedEvents::to(surroundings);
    let on_their_way: Vec<_> = (0..EVENTS).map(|_| events.send(None).unwrap().1).collect();
    for delivery in on_their_way {
        delivery.await.unwrap().unwrap();
    }
}

/// How many messages of the topic the group will not be given again.
fn committed(seen: &Observation, topic: &str) -> i64 {
    seen.committed.iter().filter(|((of, _), _)| of == topic).map(|(_, next)| next).sum()
}

/// Waits until so many are applied; how many there were when it was seen.
async fn wait_for(surroundings: &Surroundings, wanted: usize) -> usize {
    let deadline = Instant::now() + Duration::from_mins(2);
    loop {
        let seen = observation::tables(&surroundings.database_url).await.unwrap();
        let applied = applied(&seen, &surroundings.topic);
        if applied >= wanted {
            return applied;
        }
        assert!(Instant::now() < deadline, "{applied} of {wanted}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rows_37_39_46_and_51_a_full_topic_is_left_where_the_stop_came_and_nothing_is_given_again() {
    let directory = Directory::new();
    let surroundings = support::surroundings(directory.database_url());
    fill(&surroundings).await;

    let mut service = support::start(&mut support::command(&surroundings));
    service.ready(LONGEST_START).await.unwrap();
    let at_the_stop = wait_for(&surroundings, 50).await;
    service.terminate().unwrap();
    let ended = service.end(LONGEST_STOP).await.unwrap();
    assert_eq!(ended.code(), Some(0), "{}", ended.text());
    let seen = observation::observe(&surroundings).await.unwrap();
    let first = applied(&seen, &surroundings.topic);
    // The message at hand and what was applied while the signal went its way: nothing like what was left.
    assert!(first - at_the_stop < 300 && first < EVENTS, "{at_the_stop} at the stop, {first} after it");
    assert_eq!(usize::try_from(committed(&seen, &surroundings.topic)).unwrap(), first);

    let mut service = support::start(&mut support::command(&surroundings));
    let addresses = service.ready(LONGEST_START).await.unwrap();
    wait_for(&surroundings, EVENTS).await;
    // The last of them is counted after it was committed, which is after it could be seen.
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert_eq!(
        support::deliveries(&addresses).await,
        EVENTS - first,
        "none that was finished is given again"
    );
    service.terminate().unwrap();
    let ended = service.end(LONGEST_STOP).await.unwrap();
    assert_eq!(ended.code(), Some(0), "{}", ended.text());
    let seen = observation::observe(&surroundings).await.unwrap();
    assert_eq!(applied(&seen, &surroundings.topic), EVENTS);
    assert_eq!(seen.shipped.len(), EVENTS);
    assert_eq!(usize::try_from(committed(&seen, &surroundings.topic)).unwrap(), EVENTS);
}

#[tokio::test]
async fn rows_45_and_49_idle_consumers_are_woken_at_once() {
    let directory = Directory::new();
    let surroundings = support::surroundings(directory.database_url());
    let mut service = support::start(&mut support::command(&surroundings));
    service.ready(LONGEST_START).await.unwrap();
    // Joined, and waiting for messages that do not come.
    tokio::time::sleep(Duration::from_secs(5)).await;
    service.terminate().unwrap();
    let ended = service.end(LONGEST_STOP).await.unwrap();
    assert_eq!(ended.code(), Some(0), "{}", ended.text());
    assert!(ended.took < Duration::from_secs(1), "{:?}\n{}", ended.took, ended.text());
}
