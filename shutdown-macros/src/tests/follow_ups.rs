//! What follows from a mistake is no mistake of its own: each gives one error.

use super::Macro::{Hook, Main, Plan, Resource, Task, Uses};
use super::{refused, run};

#[test]
fn a_misspelt_key_is_taken_for_the_one_that_is_meant() {
    let periodic = "async fn relay(db: &Db, seen: &mut u32) { *seen += 1; }";
    refused(Task, "evrey = \"1s\"", periodic, &["unknown-key: evrey"]);
    refused(Task, "interval = \"1s\"", periodic, &["unknown-key: interval"]);
    refused(Task, "sotp = \"drop\"", "async fn relay() { loop { step().await; } }", &["unknown-key: sotp"]);
    refused(
        Task,
        "sotp = \"input\"",
        "#[shutdown_order(after = a)] async fn mailer() {}",
        &["unknown-key: sotp"],
    );
    refused(
        Task,
        "stop = \"input\"",
        "#[shutdown_order(aftr = [a, b])] async fn mailer() {}",
        &["unknown-key: aftr"],
    );
    refused(Plan, "bugdet = \"60s\"", "struct Service { a: relay }", &["unknown-key: bugdet"]);
    refused(Plan, "prat", "struct Workers { a: relay }", &["unknown-key: prat"]);
    refused(
        Plan,
        "budget = \"60s\"",
        "struct Service { a: relay, #[shutdown_order(aftre = a)] b: other }",
        &["unknown-key: aftre"],
    );
    refused(Resource, "clsoe = close_db", "struct Db;", &["unknown-key: clsoe"]);
    refused(Main, "flavour = \"current_thread\"", "async fn main() -> P {}", &["unknown-key: flavour"]);
}

#[test]
fn what_is_wrong_beside_it_is_still_said() {
    refused(Task, "evrey = \"0s\"", "async fn relay() {}", &["unknown-key: evrey", "zero-duration: \"0s\""]);
    refused(Task, "every = \"1s\", evrey = \"2s\"", "async fn relay() {}", &["unknown-key: evrey"]);
    refused(Task, "xyzzy = \"1s\"", "async fn relay() {}", &["unknown-key: xyzzy", "blind-task: relay"]);
}

#[test]
fn a_misspelt_word_is_taken_for_the_one_that_is_meant() {
    refused(Task, "stop = \"drpo\"", "async fn relay() {}", &["bad-value: \"drpo\""]);
    refused(Task, "stop = \"sometimes\"", "async fn relay() {}", &["bad-value: \"sometimes\""]);
    refused(Task, "stop", "async fn relay() {}", &["bad-value: stop"]);
    refused(
        Task,
        "stop = \"inptu\"",
        "async fn mailer() {}",
        &["bad-value: \"inptu\"", "input-without-feeder: stop"],
    );
}

#[test]
fn what_does_not_parse_is_reported_once() {
    refused(Task, "every: \"1s\"", "async fn relay(seen: &mut u32) {}", &["bad-syntax: :"]);
    refused(Task, "stop: \"drop\"", "async fn relay() {}", &["bad-syntax: :"]);
    refused(Plan, "budget: \"60s\"", "struct Service { a: relay }", &["bad-syntax: :"]);
    refused(Plan, "budget", "struct Service { a: relay }", &["bad-value: budget"]);
    refused(Plan, "part = true", "struct Service { a: relay }", &["bad-value: part"]);
    refused(Hook, "budget: \"1s\"", "async fn leave() {}", &["bad-syntax: :"]);
    refused(Uses, "", "#[uses(crate: x)] struct App;", &["bad-syntax: :"]);
}

#[test]
fn a_borrowed_shutdown_is_a_shutdown() {
    refused(
        Task,
        "",
        "async fn relay(s: &Shutdown) { s.requested().await; }",
        &["borrowed-argument: &Shutdown"],
    );
}

#[test]
fn a_budget_that_was_refused_is_no_budget_of_a_plan() {
    for (of, item) in
        [(Task, "async fn relay(s: Shutdown) {}"), (Hook, "async fn leave() {}"), (Resource, "struct Db;")]
    {
        refused(of, "budget = 5", item, &["bad-duration: 5"]);
        let text = run(of, "budget = 5", item).into_tokens().to_string();
        assert!(text.contains("Some (0u64)"), "{text}");
    }
}
