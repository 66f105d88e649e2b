//! A signal that comes before the service is ready.

use std::time::Duration;

use crate::support::{self, Directory, LONGEST_STOP};

#[tokio::test]
async fn a_signal_during_the_start_ends_it_and_closes_what_was_made() {
    let directory = Directory::new();
    let mut surroundings = support::surroundings(directory.database_url());
    // Nobody answers there: the start waits for it, with the pool already made.
    "192.0.2.1:9092".clone_into(&mut surroundings.brokers);
    let service = support::start(&mut support::command(&surroundings));
    tokio::time::sleep(Duration::from_millis(1500)).await;
    service.terminate().unwrap();
    let ended = service.end(LONGEST_STOP).await.unwrap();
    let text = ended.text();
    assert_eq!(ended.code(), Some(0), "{text}");
    assert!(ended.took < Duration::from_secs(2), "{:?}: {text}", ended.took);
    assert!(ended.log.iter().any(|line| line.contains("Database") && line.contains("clos")), "{text}");
}
