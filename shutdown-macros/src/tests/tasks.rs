use super::Macro::{Hook, Task};
use super::{accepted, problems, refused, run};

const PERIODIC: &str = "every = \"1s\"";

#[test]
fn signatures() {
    refused(Task, PERIODIC, "fn relay() {}", &["not-async: fn"]);
    refused(Task, PERIODIC, "struct Relay { a: u8 }", &["not-a-function: struct Relay"]);
    refused(Task, PERIODIC, "impl Relay { async fn relay() {} }", &["not-a-function: impl Relay"]);
    refused(Task, "", "async fn relay(&self, shutdown: Shutdown) {}", &["on-a-method: &self"]);
    refused(Task, "", "async fn relay(a: Self, shutdown: Shutdown) {}", &["on-a-method: Self"]);
    refused(Task, "", "async fn relay() {}", &["blind-task: relay"]);
    refused(Task, "stop = \"signal\"", "async fn relay() {}", &["blind-task: relay"]);
    accepted(Task, "stop = \"drop\"", "async fn relay() {}");
    accepted(Task, "", "async fn relay(stop: shutdown_runtime::Shutdown) {}");
    accepted(Hook, "", "async fn leave() {}");
}

#[test]
fn borrows() {
    let task = |parameter: &str| {
        problems(Task, "", &format!("async fn relay({parameter}, shutdown: Shutdown) {{}}"))
    };
    assert_eq!(task("a: &str"), ["borrowed-argument: &str"]);
    assert_eq!(task("a: &[u8]"), ["borrowed-argument: &[u8]"]);
    assert_eq!(task("a: &dyn Store"), ["borrowed-argument: &dyn Store"]);
    assert_eq!(task("a: &mut Seen"), ["borrowed-argument: &mut Seen"]);
    assert_eq!(task("a: Vec<&Db>"), ["borrowed-argument: &Db"]);
    assert_eq!(task("a: Cow<'_, str>"), ["borrowed-argument: '_"]);
    assert_eq!(task("a: &Shutdown"), ["borrowed-argument: &Shutdown"]);
    assert_eq!(task("a: &Lease<Db>"), ["borrowed-argument: &Lease<Db>"]);
    assert_eq!(
        task("a: &shutdown_runtime::Resource<Db>"),
        ["borrowed-argument: &shutdown_runtime::Resource<Db>"]
    );
    assert_eq!(task("a: &'static str"), Vec::<String>::new());
    assert_eq!(task("a: &Db"), Vec::<String>::new());
    assert_eq!(task("a: Box<dyn Fn(&str) -> u8 + Send>"), Vec::<String>::new());
    assert_eq!(task("a: fn(&str)"), Vec::<String>::new());
    assert_eq!(task("a: Box<dyn for<'a> Visit<'a> + Send>"), Vec::<String>::new());
    accepted(Task, PERIODIC, "async fn relay(a: &mut Seen) {}");
}

#[test]
fn keys() {
    refused(Task, "every = \"1s\", bugdet = \"10s\"", "async fn relay() {}", &["unknown-key: bugdet"]);
    refused(Task, "every = \"1s\", every = \"2s\"", "async fn relay() {}", &["duplicate-key: every"]);
    refused(Task, "every = \"1s\", budget = 10", "async fn relay() {}", &["bad-duration: 10"]);
    refused(Task, "every = \"1 sec\"", "async fn relay() {}", &["bad-duration: \"1 sec\""]);
    refused(Task, "every = \"0s\"", "async fn relay() {}", &["zero-duration: \"0s\""]);
    refused(
        Task,
        "every = \"1s\", on_exit = \"fail\"",
        "async fn relay() {}",
        &["conflicting-keys: on_exit"],
    );
    refused(Task, "every = \"1s\", stop = \"input\"", "async fn relay() {}", &["conflicting-keys: stop"]);
    refused(Task, "stop = \"never\"", "async fn relay(s: Shutdown) {}", &["bad-value: \"never\""]);
    refused(Task, "every = \"1s\", budget", "async fn relay() {}", &["bad-value: budget"]);
    refused(Task, "every = \"1s\", budget(5)", "async fn relay() {}", &["bad-syntax: 5"]);
    refused(Task, "stop = \"input\"", "async fn mailer() {}", &["input-without-feeder: stop"]);
    refused(Task, "every = \"1s\", crate = Self", "async fn relay() {}", &["bad-syntax: Self"]);
    accepted(Task, "every = \"1s\", crate = self::renamed", "async fn relay() {}");
    accepted(Task, "every = \"1s\", type = Relay", "async fn relay() {}");
    refused(Task, "every = \"1s\", type = \"Relay\"", "async fn relay() {}", &["bad-value: \"Relay\""]);
    accepted(Hook, "at = \"drain\"", "#[shutdown_order(before = relay)] async fn leave() {}");
    refused(Hook, "at = \"drian\"", "async fn leave() {}", &["bad-value: \"drian\""]);
    refused(Hook, "at = drain", "async fn leave() {}", &["bad-value: drain"]);
    refused(
        Hook,
        "at = \"drain\"",
        "#[shutdown_order(after = relay)] async fn leave() {}",
        &["conflicting-keys: at"],
    );
    for generic in ["Relay<T>", "Relay<'a, T>"] {
        let found = problems(Task, &format!("every = \"1s\", type = {generic}"), "async fn relay() {}");
        assert_eq!(found, [format!("bad-value: {generic}")]);
    }
    refused(Hook, "every = \"1s\"", "async fn leave() {}", &["unknown-key: every"]);
}

#[test]
fn keys_of_the_start() {
    let explicit = "ready = \"explicit\", ready_within = \"3s\"";
    accepted(Task, explicit, "async fn relay(s: Shutdown) {}");
    accepted(Task, "ready = \"explicit\"", "async fn relay(s: Shutdown) {}");
    accepted(Task, &format!("every = \"1s\", {explicit}"), "async fn relay(s: Shutdown) {}");
    accepted(Task, &format!("stop = \"drop\", {explicit}"), "async fn relay(s: Shutdown) {}");
    for keys in ["every = \"1s\"", "stop = \"drop\""] {
        let keys = format!("{keys}, {explicit}");
        refused(Task, &keys, "async fn relay() {}", &["conflicting-keys: ready"]);
    }
    refused(Task, explicit, "async fn relay() {}", &["blind-task: relay"]);
    let refuse = |keys: &str| problems(Task, keys, "async fn relay(s: Shutdown) {}");
    assert_eq!(refuse("ready_within = \"3s\""), ["conflicting-keys: ready_within"]);
    assert_eq!(refuse("ready = \"explict\""), ["bad-value: \"explict\""]);
    assert_eq!(refuse("ready"), ["bad-value: ready"]);
    assert_eq!(refuse("ready = \"explicit\", ready_within = \"0s\""), ["zero-duration: \"0s\""]);
    assert_eq!(refuse("ready = \"explicit\", ready_within = 3"), ["bad-duration: 3"]);
    refused(Hook, explicit, "async fn leave() {}", &["unknown-key: ready", "unknown-key: ready_within"]);
}

#[test]
fn keys_of_iterations() {
    let returning = |keys: &str, output: &str| {
        let item = format!("async fn relay() {output} {{ step().await }}");
        problems(Task, &format!("every = \"1s\", {keys}"), &item)
    };
    let periodic = |keys: &str| returning(keys, "-> io::Result<()>");
    let none = Vec::<String>::new();
    assert_eq!(periodic("last = true, fail_after = 3"), none);
    assert_eq!(periodic("last = false, stop = \"drop\""), none);
    assert_eq!(periodic("on_error = \"log\", fail_after = 3u32"), none);
    assert_eq!(periodic("on_error = \"shutdown\", fail_after = 3"), ["conflicting-keys: fail_after"]);
    assert_eq!(periodic("stop = \"drop\", last = true"), ["conflicting-keys: last"]);
    for wrong in ["0", "-1", "\"3\"", "3.0", "4_294_967_296"] {
        assert_eq!(periodic(&format!("fail_after = {wrong}")), [format!("bad-value: {wrong}")]);
    }
    for never_fails in ["", "-> ()", "-> !"] {
        let found = returning("on_error = \"shutdown\", fail_after = 3", never_fails);
        assert_eq!(found, ["conflicting-keys: fail_after"]);
        assert_eq!(returning("fail_after = 3", never_fails), ["conflicting-keys: fail_after"]);
    }
    assert_eq!(periodic("last = 1"), ["bad-value: 1"]);
    assert_eq!(periodic("last"), ["bad-value: last"]);
    assert_eq!(periodic("fail_after(3)"), ["bad-syntax: 3"]);
    let once = |keys: &str| problems(Task, keys, "async fn poller(s: Shutdown) {}");
    assert_eq!(once("last = true"), ["conflicting-keys: last"]);
    assert_eq!(once("on_error = \"log\", fail_after = 3"), ["conflicting-keys: fail_after"]);
    assert_eq!(once("last = false"), none);
    refused(Hook, "last = true", "async fn leave() {}", &["unknown-key: last"]);
}

#[test]
fn several_at_once() {
    refused(
        Task,
        "every = \"0s\", bugdet = \"10s\"",
        "fn relay(a: &str) {}",
        &["unknown-key: bugdet", "zero-duration: \"0s\"", "borrowed-argument: &str", "not-async: fn"],
    );
}

#[test]
fn values_may_hold_commas_and_angles() {
    accepted(Task, "every = pick(|a, b| a < b, 1), budget = \"1s\"", "async fn relay() {}");
    accepted(Task, "every = Duration::from_secs(1 << 2), budget = \"1s\"", "async fn relay(n: u32) {}");
    accepted(Task, "every = \"1s\", uses(a::Db, Pool<u8, u8>)", "async fn relay(n: Box<dyn Fn()>) {}");
}

#[test]
fn loops() {
    let task =
        |body: &str| problems(Task, "", &format!("async fn relay(db: &Db, stop: Shutdown) {{ {body} }}"));
    assert_eq!(task("loop { step().await; }"), ["blind-loop: loop"]);
    assert_eq!(task("while true { step().await; }"), ["blind-loop: while"]);
    assert_eq!(task("loop { loop { break; } }"), ["blind-loop: loop"]);
    assert_eq!(task("loop { println!(\"{}\", 1); }"), ["blind-loop: loop"]);
    assert_eq!(task("loop { spawn(async { step().await?; Ok(()) }); }"), ["blind-loop: loop"]);
    for fine in [
        "loop { if stop.is_requested() { return; } }",
        "loop { step().await?; }",
        "loop { break; }",
        "'a: loop { loop { break 'a; } }",
        "loop { tokio::select! { _ = step() => {} } }",
        "loop { println!(\"{}\", step()?); }",
        "spawn(async { loop { step().await; } });",
        "while let Some(a) = input.recv().await {}",
        "loop { stop.run_until_requested(step()).await; }",
    ] {
        assert_eq!(task(fine), Vec::<String>::new(), "{fine}");
    }
    assert_eq!(
        problems(Task, "stop = \"drop\"", "async fn relay() { loop { step().await; } }"),
        Vec::<String>::new()
    );
    assert_eq!(problems(Task, PERIODIC, "async fn relay() { loop { step().await; } }"), ["blind-loop: loop"]);
}

#[test]
fn closing_what_was_lent() {
    let task = |body: &str| {
        problems(Task, "", &format!("async fn relay(db: &Db, l: Lease<Db>, n: N, s: Shutdown) {{ {body} }}"))
    };
    assert_eq!(task("db.close().await;"), ["closes-lease: close"]);
    assert_eq!(task("db.0.close().await;"), ["closes-lease: close"]);
    assert_eq!(task("(*db).pool.close().await;"), ["closes-lease: close"]);
    assert_eq!(task("if x { l.close(); }"), ["closes-lease: close"]);
    for fine in [
        "n.close();",
        "Db::close(db).await;",
        "db.close(1);",
        "db.begin().close();",
        "let db = 1; db.close();",
    ] {
        assert_eq!(task(fine), Vec::<String>::new(), "{fine}");
    }
}

#[test]
fn a_half_typed_body_still_yields_the_item() {
    let outcome = run(Task, PERIODIC, "async fn relay(db: &Db) { db. }");
    assert!(outcome.problems.is_empty());
    let text = outcome.tokens.to_string();
    assert!(
        text.contains("db .") && text.contains("declare_task ! { [] relay") && text.contains("fn relay"),
        "{text}"
    );
}

#[test]
fn a_stop_that_may_be_compiled_out_leaves_a_task_blind_then() {
    let conditional = "async fn relay(#[cfg(unix)] #[cfg(test)] s: Shutdown, #[cfg(windows)] t: Shutdown) {}";
    refused(Task, "", conditional, &["blind-task: relay"]);
    let text = run(Task, "", conditional).into_tokens().to_string();
    let condition = "# [cfg (all (not (all (unix , test)) , not (all (windows))))]";
    assert!(text.starts_with(condition), "{text}");
    assert!(!text.contains("loop { }"), "the item itself is not refused: {text}");
    let whole = "#[cfg(unix)] async fn relay(#[cfg(test)] s: Shutdown) {}";
    let text = run(Task, "", whole).into_tokens().to_string();
    assert!(text.starts_with("# [cfg (all (unix , not (all (test))))]"), "{text}");
    accepted(Task, "", "async fn relay(#[cfg(test)] s: Shutdown, t: Shutdown) {}");
    accepted(Task, "stop = \"drop\"", "async fn relay(#[cfg(test)] s: Shutdown) {}");
}

#[test]
fn patterns_cfg_and_generics() {
    accepted(
        Task,
        PERIODIC,
        "async fn relay(mut n: u32, (a, mut b): (u8, u8), _: u8, #[cfg(any())] gone: u8) {}",
    );
    accepted(
        Task,
        "",
        "pub(crate) async fn r#loop<'a, T: Tr<'a>, const N: usize>(r#type: [T; N], s: Shutdown) where T: Send, 'a: 'a {}",
    );
    accepted(
        Task,
        "",
        "async fn relay(a: impl Fn() + Send + Unpin + 'static, s: Shutdown) -> ! { loop { return } }",
    );
}

#[test]
fn every_parameter_of_the_stop_counts_and_labels_are_followed() {
    accepted(Task, "", "async fn t(a: Shutdown, b: Shutdown) { loop { b.requested().await; } }");
    refused(
        Task,
        "",
        "async fn t(s: Shutdown) { loop { 'b: { if true { break 'b; } } tick().await; } }",
        &["blind-loop: loop"],
    );
    refused(
        Task,
        "",
        "async fn t(s: Shutdown) { loop { 'b: for _ in 0..3 { break 'b; } } }",
        &["blind-loop: loop"],
    );
    accepted(Task, "", "async fn t(s: Shutdown) { 'b: loop { loop { break 'b; } } }");
}

#[test]
fn closing_what_was_lent_inside_macros_and_through_state() {
    let task =
        |body: &str| problems(Task, PERIODIC, &format!("async fn relay(db: &mut Lease<Db>) {{ {body} }}"));
    for closes in ["db.close().await;", "join!(db.close());", "select! { _ = db.0.close() => {} }"] {
        assert_eq!(task(closes), ["closes-lease: close"], "{closes}");
    }
    for fine in
        ["join!(db.close(1));", "join!(other.db.close());", "select! { _ = db.begin().close() => {} }"]
    {
        assert_eq!(task(fine), Vec::<String>::new(), "{fine}");
    }
}

#[test]
fn names_and_state_that_cannot_be() {
    refused(Task, "every = \"1s\", type = crate", "async fn t() {}", &["bad-value: crate"]);
    refused(Task, "every = \"1s\", type = Self", "async fn t() {}", &["bad-value: Self"]);
    refused(Hook, "type = W", "#[shutdown_order(before = W)] async fn w() {}", &["self-order: W"]);
    refused(Task, PERIODIC, "async fn t(s: &mut dyn Sink) {}", &["borrowed-argument: &mut dyn Sink"]);
    refused(Task, PERIODIC, "async fn t(s: &mut str) {}", &["borrowed-argument: &mut str"]);
    refused(Task, PERIODIC, "async fn t(s: &mut [u8]) {}", &["borrowed-argument: &mut [u8]"]);
}
