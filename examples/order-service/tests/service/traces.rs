//! The traces: what is still batched when the signal comes is exported all the same.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::Stdio;
use std::time::Duration;

use order_service::demo::client::Customer;
use order_service::demo::service_process::ServiceProcess;

use crate::support::{self, Directory, LONGEST_START, LONGEST_STOP};

/// A service whose traces go to `destination`; an order, and at once a stop. What it wrote to its standard output.
async fn stopped_after_an_order(destination: &str, exit_code: i32) -> String {
    let directory = Directory::new();
    let surroundings = support::surroundings(directory.database_url());
    let path = directory.path().join("stdout");
    let mut command = support::command(&surroundings);
    command.env("ORDER_SERVICE_TRACES", destination);
    let stdout = Stdio::from(std::fs::File::create(&path).unwrap());
    let mut service = ServiceProcess::start_with_stdout(&mut command, stdout).unwrap();
    let addresses = service.ready(LONGEST_START).await.unwrap();
    let orders = format!("{}/orders", addresses.api);
    Customer::default().post(&orders, r#"{"customer":"Ada","amount_cents":5}"#).await.unwrap();
    service.terminate().unwrap();
    let ended = service.end(LONGEST_STOP).await.unwrap();
    assert_eq!(ended.code(), Some(exit_code), "{}", ended.text());
    assert!(ended.text().contains("Traces"), "{}", ended.text());
    assert!(ended.took < LONGEST_FLUSH, "{:?}\n{}", ended.took, ended.text());
    std::fs::read_to_string(path).unwrap()
}

#[tokio::test]
async fn a_span_of_the_last_moment_is_exported() {
    let exported = stopped_after_an_order("stdout", 0).await;
    assert!(exported.contains("order-service") && exported.contains("place"), "{exported}");
}

/// What this collector is sent, until somebody sends it `LAST`. A stop may export twice: its flush, and what ended after it.
fn collected(collector: &TcpListener) -> String {
    let mut all = Vec::new();
    while !String::from_utf8_lossy(&all).ends_with(LAST) {
        let (mut stream, _) = collector.accept().unwrap();
        stream.set_read_timeout(Some(Duration::from_millis(300))).unwrap();
        let mut space = vec![0; 65_536];
        while let Ok(read @ 1..) = stream.read(&mut space) {
            all.extend_from_slice(&space[..read]);
        }
        // Who sent the last word is gone.
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
    }
    String::from_utf8_lossy(&all).into_owned()
}

/// The 5 s that the traces have, and what stops before them.
const LONGEST_FLUSH: Duration = Duration::from_secs(7);
const LAST: &str = "that was all";

#[tokio::test]
async fn a_span_of_the_last_moment_reaches_a_collector() {
    let collector = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = collector.local_addr().unwrap();
    let collecting = std::thread::spawn(move || collected(&collector));
    stopped_after_an_order(&format!("http://{address}/v1/traces"), 0).await;
    TcpStream::connect(address).unwrap().write_all(LAST.as_bytes()).unwrap();
    let exported = collecting.join().unwrap();
    assert!(exported.contains("order-service") && exported.contains("place"), "{exported}");
}

#[tokio::test]
async fn a_collector_that_is_gone_is_named_and_holds_no_stop() {
    stopped_after_an_order("http://127.0.0.1:1/v1/traces", 1).await;
}

/// Field report 99: one that takes the connection and never answers.
#[tokio::test]
async fn row_99_a_collector_that_does_not_answer_is_named_and_holds_no_stop() {
    // The kernel accepts; nobody reads.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = silent.local_addr().unwrap();
    stopped_after_an_order(&format!("http://{address}/v1/traces"), 1).await;
}
