//! What a stop left pending is finished by the next start: each order ends up shipped, once.

use std::time::{Duration, Instant};

use order_service::demo::load::{self, Load, Progress};
use order_service::demo::{audit, observation};

use crate::support::{self, Directory, LONGEST_START, LONGEST_STOP};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_next_start_finishes_what_was_pending() {
    let directory = Directory::new();
    let surroundings = support::surroundings(directory.database_url());

    // A relay that cannot keep up, so that much is pending when the stop comes.
    let mut command = support::command(&surroundings);
    command.env("ORDER_SERVICE_RELAY_INTERVAL", "100ms").env("ORDER_SERVICE_RELAY_BATCH", "3");
    let mut service = support::start(&mut command);
    let api = service.ready(LONGEST_START).await.unwrap().api;
    let progress = Progress::default();
    let load = Load { orders: 100_000, customers: 3, pause: Duration::from_millis(15) };
    let stop = async {
        tokio::time::sleep(Duration::from_secs(4)).await;
        service.terminate().unwrap();
        let ended = service.end(LONGEST_STOP).await.unwrap();
        progress.enough();
        ended
    };
    let (outcome, first) = tokio::join!(load::run(&api, load, &progress), stop);
    assert_eq!(first.code(), Some(0), "{}", first.text());
    let between = observation::observe(&surroundings).await.unwrap();
    let pending = between.outbox.iter().filter(|row| !row.published).count();
    assert!(pending > 50, "only {pending} events are pending");
    assert!(between.shipped.len() < between.orders.len());

    let mut command = support::command(&surroundings);
    command.env("ORDER_SERVICE_RELAY_INTERVAL", "20ms");
    let mut service = support::start(&mut command);
    service.ready(LONGEST_START).await.unwrap();
    let deadline = Instant::now() + Duration::from_mins(1);
    loop {
        let seen = observation::tables(&surroundings.database_url).await.unwrap();
        if seen.shipped.len() >= seen.orders.len() {
            break;
        }
        assert!(Instant::now() < deadline, "{} of {} shipped", seen.shipped.len(), seen.orders.len());
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    service.terminate().unwrap();
    let second = service.end(LONGEST_STOP).await.unwrap();
    assert_eq!(second.code(), Some(0), "{}", second.text());

    let seen = observation::observe(&surroundings).await.unwrap();
    for finding in audit::judge(&surroundings, &outcome, &seen, &second.log) {
        assert!(finding.holds(), "{finding}\n{}", second.text());
    }
    assert!(seen.outbox.iter().all(|row| row.published));
    assert_eq!(seen.shipped.len(), seen.orders.len());
}
