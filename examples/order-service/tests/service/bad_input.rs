//! Wrong settings, missing parts and malformed requests: one clear line, and the right code.

use std::net::TcpListener;
use std::process::Output;

use axum::http::StatusCode;
use order_service::demo::client::Customer;

use crate::support::{self, Directory, LONGEST_START, LONGEST_STOP};

/// Starts the service with `variables` on top of good ones and waits until it gives up.
async fn refused(variables: &[(&str, &str)], arguments: &[&str]) -> (Output, String) {
    let directory = Directory::new();
    let surroundings = support::surroundings(directory.database_url());
    let mut command = support::command(&surroundings);
    command.envs(variables.iter().copied()).args(arguments).current_dir(directory.path()).kill_on_drop(true);
    let output = tokio::time::timeout(LONGEST_START, command.output()).await.unwrap().unwrap();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{text}");
    (output, text)
}

/// One line of `text` says all of `parts`.
fn assert_one_line(text: &str, parts: &[&str]) {
    assert!(
        text.lines().any(|line| parts.iter().all(|part| line.contains(part))),
        "no line with {parts:?} in:\n{text}"
    );
}

#[tokio::test]
async fn a_port_in_use_is_named() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    for variable in ["ORDER_SERVICE_HTTP_ADDRESS", "ORDER_SERVICE_ADMIN_ADDRESS"] {
        let (_, text) = refused(&[(variable, &address)], &[]).await;
        assert_one_line(&text, &["cannot listen on", &address, variable, "in use"]);
    }
}

#[tokio::test]
async fn an_unreachable_database_is_named_without_its_password() {
    let nobody = "postgres://me:s3cret@127.0.0.1:1/orders";
    let (_, text) = refused(&[("DATABASE_URL", nobody)], &[]).await;
    assert_one_line(&text, &["cannot use the database postgres://me:***@127.0.0.1:1/orders", "DATABASE_URL"]);
    assert!(!text.contains("s3cret"), "{text}");

    let (_, text) = refused(&[("DATABASE_URL", "sqlite://no/such/directory/orders.sqlite")], &[]).await;
    assert_one_line(&text, &["cannot use the database sqlite://no/such/directory/orders.sqlite"]);
}

#[tokio::test]
async fn an_unreachable_broker_is_named_and_the_pool_is_closed() {
    let (_, text) = refused(&[("KAFKA_BROKERS", "127.0.0.1:1")], &[]).await;
    assert_one_line(&text, &["cannot reach the broker 127.0.0.1:1", "KAFKA_BROKERS"]);
    assert_one_line(&text, &["Database", "clos"]);
}

#[tokio::test]
async fn malformed_variables_are_named_with_their_value() {
    for (variable, value) in [
        ("ORDER_SERVICE_HTTP_ADDRESS", "localhost"),
        ("DATABASE_URL", "oracle://orders"),
        ("KAFKA_BROKERS", "broker"),
        ("ORDER_SERVICE_RELAY_INTERVAL", "half a second"),
        ("ORDER_SERVICE_RELAY_BATCH", "many"),
        ("KAFKA_PROPERTIES", "enable.auto.commit=true"),
        ("ORDER_SERVICE_TRACES", "everywhere"),
        ("ORDER_SERVICE_FAULT", "gremlins"),
    ] {
        let (_, text) = refused(&[(variable, value)], &[]).await;
        assert_one_line(&text, &[variable, value, "is not usable: expected"]);
    }
    let (_, text) = refused(&[], &["sevre"]).await;
    assert_one_line(&text, &["unknown argument \"sevre\""]);
}

#[tokio::test]
async fn malformed_requests_are_the_customers_fault() {
    let directory = Directory::new();
    let surroundings = support::surroundings(directory.database_url());
    let mut service = support::start(&mut support::command(&surroundings));
    let addresses = service.ready(LONGEST_START).await.unwrap();
    let customer = Customer::default();
    let orders = format!("{}/orders", addresses.api);

    for (body, expected) in [
        ("", StatusCode::BAD_REQUEST),
        ("{", StatusCode::BAD_REQUEST),
        ("[]", StatusCode::UNPROCESSABLE_ENTITY),
        ("{}", StatusCode::UNPROCESSABLE_ENTITY),
        (r#"{"customer":"a","amount_cents":"ten"}"#, StatusCode::UNPROCESSABLE_ENTITY),
        (r#"{"customer":"a","amount_cents":0}"#, StatusCode::UNPROCESSABLE_ENTITY),
        (r#"{"customer":"a","amount_cents":1e30}"#, StatusCode::UNPROCESSABLE_ENTITY),
        (r#"{"customer":"  ","amount_cents":1}"#, StatusCode::UNPROCESSABLE_ENTITY),
        (r#"{"customer":"a\u0000b","amount_cents":1}"#, StatusCode::UNPROCESSABLE_ENTITY),
        (r#"{"customer":"a","amount_cents":1,"coupon":"x"}"#, StatusCode::UNPROCESSABLE_ENTITY),
    ] {
        let answer = customer.post(&orders, body).await.unwrap();
        assert_eq!(answer.status, expected, "{body:?}: {:?}", answer.body);
    }
    let long = format!(r#"{{"customer":"{}","amount_cents":1}}"#, "x".repeat(20_000));
    assert_eq!(customer.post(&orders, long).await.unwrap().status, StatusCode::PAYLOAD_TOO_LARGE);

    for (path, expected) in [
        ("/orders/42", StatusCode::BAD_REQUEST),
        ("/orders/00000000-0000-4000-8000-000000000000", StatusCode::NOT_FOUND),
        ("/orders", StatusCode::METHOD_NOT_ALLOWED),
        ("/order", StatusCode::NOT_FOUND),
    ] {
        let answer = customer.get(&format!("{}{path}", addresses.api)).await.unwrap();
        assert_eq!(answer.status, expected, "{path}");
    }
    let live = customer.get(&format!("{}/livez", addresses.probes)).await.unwrap();
    assert_eq!(live.status, StatusCode::OK);

    service.terminate().unwrap();
    let ended = service.end(LONGEST_STOP).await.unwrap();
    assert_eq!(ended.code(), Some(0), "{}", ended.text());
}
