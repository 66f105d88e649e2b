use super::Macro::{Hook, Order, Resource, Task};
use super::{problems, refused, run, tokens};

const PERIODIC: &str = "every = \"1s\"";

#[test]
fn orders() {
    let task =
        |order: &str| problems(Task, PERIODIC, &format!("#[shutdown_order({order})] async fn relay() {{}}"));
    assert_eq!(task("after = relay"), ["self-order: relay"]);
    assert_eq!(task("after = a, before = a"), ["conflicting-keys: a"]);
    assert_eq!(task("behind = a"), ["unknown-key: behind"]);
    assert_eq!(task("after = a, after = b"), ["duplicate-key: after"]);
    assert_eq!(task("after(a)"), Vec::<String>::new());
    assert_eq!(task("after"), ["bad-value: after"]);
    assert_eq!(task("after = self::relay"), ["self-order: self::relay"]);
    assert_eq!(task("before = [a, relay<u8>]"), ["self-order: relay<u8>"]);
    assert_eq!(task("after = other::relay"), Vec::<String>::new());
    assert_eq!(task("after = [a, b::c<D>], before = e"), Vec::<String>::new());
    assert_eq!(task("__shutdown_order_rotated, after = a"), Vec::<String>::new());
    assert_eq!(
        problems(Task, PERIODIC, "#[shutdown_order] async fn relay() {}"),
        ["bad-syntax: #[shutdown_order]"]
    );
    let two = "#[shutdown_order(after = a)] #[shutdown_order(before = a)] async fn leave() {}";
    assert_eq!(problems(Hook, "", two), ["conflicting-keys: a"]);
    assert_eq!(problems(Resource, "", "#[shutdown_order(after = Db)] struct Db;"), ["self-order: Db"]);
}

#[test]
fn one_above_moves_below_once() {
    let outcome = run(Order, "after = a", "#[background_task] async fn relay() {}");
    let expected = "#[background_task] #[::shutdown_runtime::shutdown_order(__shutdown_order_rotated, after = a)] async fn relay() {}";
    assert!(outcome.problems.is_empty());
    assert_eq!(outcome.tokens.to_string(), tokens(expected).to_string());
    let renamed = run(Order, "crate = drain, after = a", "#[background_task] async fn relay() {}");
    assert!(renamed.tokens.to_string().contains("# [drain :: shutdown_order"), "{}", renamed.tokens);
}

#[test]
fn one_that_stands_alone_is_refused() {
    // The whole attribute is underlined, which is the call site and so no text of these tokens.
    refused(Order, "after = a", "async fn relay() {}", &["stray-order: "]);
    refused(Order, "after = a", "#[doc = \"x\"] #[allow(dead_code)] async fn relay() {}", &["stray-order: "]);
    refused(Order, "__shutdown_order_rotated, after = a", "#[other] async fn relay() {}", &["stray-order: "]);
    refused(Order, "after = a", "struct Db;", &["stray-order: "]);
    let outcome = run(Order, "after = a", "async fn relay() {}");
    assert_eq!(outcome.tokens.to_string(), "async fn relay () { }");
}
