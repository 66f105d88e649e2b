//! A replica that stops hands its partitions over: it leaves the group, instead of being missed after the session timeout
//! (R-SHUT-KFK-1). Needs a broker that does not wait that long in each rebalance anyway, as the one in the process does.

use std::collections::HashMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use order_service::demo::observation;
use order_service::demo::service_process::{Addresses, Ended, ServiceProcess, Surroundings};
use uuid::Uuid;

use crate::brokers::Brokers;
use crate::databases::Databases;
use crate::placed_events::PlacedEvents;
use crate::support::{self, LONGEST_START, LONGEST_STOP};

/// What the consumers tell the broker: a member that says nothing for so long is taken for dead.
const SESSION_TIMEOUT: Duration = Duration::from_secs(6);
/// How much of it has passed at most when a member dies between two heartbeats.
const HEARTBEAT: Duration = Duration::from_millis(500);

/// What was sent to which partition, and when.
type Sent = Mutex<HashMap<Uuid, (i32, Instant)>>;

/// Sends to every partition, over and over.
async fn send_to_all(events: &PlacedEvents, partitions: &[i32], sent: &Sent) {
    loop {
        for &partition in partitions {
            let (event, delivery) = events.send(Some(partition)).unwrap();
            sent.lock().unwrap().insert(event, (partition, Instant::now()));
            delivery.await.unwrap().unwrap();
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// The partitions of which something is applied that was sent after that moment.
async fn flowing(surroundings: &Surroundings, sent: &Sent, after: Instant) -> Vec<i32> {
    let seen = observation::tables(&surroundings.database_url).await.unwrap();
    let sent = sent.lock().unwrap();
    let mut flowing: Vec<i32> = seen
        .processed
        .iter()
        .filter_map(|(event, _)| sent.get(&event.parse().ok()?))
        .filter(|(_, at)| *at > after)
        .map(|(partition, _)| *partition)
        .collect();
    flowing.sort_unstable();
    flowing.dedup();
    flowing
}

async fn replica(surroundings: &Surroundings) -> (ServiceProcess, Addresses) {
    let mut service = support::start(&mut support::command(surroundings));
    let addresses = service.ready(LONGEST_START).await.unwrap();
    (service, addresses)
}

/// Has one of two replicas end so; how long it took until each partition flowed again, from when it was told.
async fn handed_over_after(end: impl AsyncFnOnce(ServiceProcess) -> Ended) -> Option<Duration> {
    let (databases, brokers) = (Databases::on_postgres()?, Brokers::of_another_make()?);
    let database = databases.create().await;
    let surroundings = support::surroundings_at(brokers.address(), database.url().to_owned());
    brokers.create_topic(&surroundings.topic).await;
    let events = PlacedEvents::to(&surroundings);
    let partitions = events.partitions().await;
    assert!(partitions.len() > 1, "nothing to share: {partitions:?}");

    let sent = Sent::default();
    let watch = async {
        let (first, second) = (replica(&surroundings).await, replica(&surroundings).await);
        let deadline = Instant::now() + LONGEST_START;
        while support::deliveries(&first.1).await == 0 || support::deliveries(&second.1).await == 0 {
            assert!(Instant::now() < deadline, "the two do not share the topic");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        let told = Instant::now();
        end(second.0).await;
        let gone = Instant::now();
        let deadline = Instant::now() + LONGEST_START;
        while flowing(&surroundings, &sent, gone).await != partitions {
            assert!(Instant::now() < deadline, "not handed over");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let took = told.elapsed();
        first.0.terminate().unwrap();
        let ended = first.0.end(LONGEST_STOP).await.unwrap();
        assert_eq!(ended.code(), Some(0), "{}", ended.text());
        took
    };
    let took = tokio::select! {
        took = watch => took,
        () = send_to_all(&events, &partitions, &sent) => unreachable!(),
    };
    database.remove().await;
    Some(took)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn defect_15_a_stop_hands_the_partitions_over_before_the_session_times_out() {
    let stopped = handed_over_after(async |replica| {
        replica.terminate().unwrap();
        let ended = replica.end(LONGEST_STOP).await.unwrap();
        assert_eq!(ended.code(), Some(0), "{}", ended.text());
        ended
    });
    let Some(stopped) = stopped.await else { return };
    println!("handed over {stopped:.1?} after SIGTERM");
    assert!(stopped + HEARTBEAT < SESSION_TIMEOUT, "{stopped:?}");
}

/// The twin: without leaving, the broker has to miss it first.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_replica_is_missed_only_after_the_session_timeout() {
    let killed = handed_over_after(async |mut replica| {
        replica.kill().unwrap();
        replica.end(LONGEST_STOP).await.unwrap()
    });
    let Some(killed) = killed.await else { return };
    println!("handed over {killed:.1?} after SIGKILL");
    assert!(killed + HEARTBEAT >= SESSION_TIMEOUT, "{killed:?}");
}
