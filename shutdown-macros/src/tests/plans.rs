use super::Macro::{Main, Plan};
use super::{accepted, problems, refused, run};

const BUDGET: &str = "budget = \"60s\"";

#[test]
fn plans() {
    accepted(Plan, BUDGET, "struct Service { a: relay, b: Resource<Db> }");
    accepted(
        Plan,
        "budget = \"60s\", pre_stop = \"10s\", lame_duck = \"0s\", margin = \"2s\"",
        "struct Service { a: relay }",
    );
    accepted(Plan, "part", "struct Workers { a: relay }");
    refused(Plan, "", "struct Service { a: relay }", &["missing-budget: Service"]);
    refused(Plan, BUDGET, "struct Service {}", &["empty-plan: Service"]);
    refused(Plan, BUDGET, "struct Service;", &["empty-plan: Service"]);
    refused(Plan, "part", "struct r#match {}", &["empty-plan: r#match"]);
    refused(Plan, BUDGET, "struct Service(relay);", &["not-a-plan-struct: (relay)"]);
    refused(Plan, BUDGET, "struct Service();", &["not-a-plan-struct: ()"]);
    refused(Plan, BUDGET, "enum Service { A }", &["not-a-plan-struct: enum Service"]);
    refused(Plan, BUDGET, "async fn service() {}", &["not-a-plan-struct: async fn"]);
    refused(Plan, BUDGET, "mod service {}", &["not-a-plan-struct: mod service"]);
    refused(Plan, BUDGET, "struct Service<'a> { a: relay<'a> }", &["generic-plan: <'a>"]);
    refused(Plan, BUDGET, "struct Service<T> { a: relay<T> }", &["generic-plan: <T>"]);
    refused(
        Plan,
        "budget = \"60s\", margin = \"1s\"",
        "struct Service { a: relay }",
        &["small-margin: \"1s\""],
    );
    refused(
        Plan,
        "budget = \"60s\", margin = \"1999ms\"",
        "struct Service { a: relay }",
        &["small-margin: \"1999ms\""],
    );
    refused(Plan, "budget = \"0s\"", "struct Service { a: relay }", &["zero-duration: \"0s\""]);
    refused(
        Plan,
        "budget = \"60s\", margin = \"0ms\"",
        "struct Service { a: relay }",
        &["zero-duration: \"0ms\""],
    );
    accepted(Plan, "budget = \"60s\", pre_stop = \"0s\"", "struct Service { a: relay }");
    refused(
        Plan,
        "budget = \"60s\", budget = \"30s\"",
        "struct Service { a: relay }",
        &["duplicate-key: budget"],
    );
    refused(
        Plan,
        "budget = 60, pre_stop = ten(), lame_duck = \"2 s 3\"",
        "struct Service { a: relay }",
        &["bad-duration: 60", "bad-duration: ten()", "bad-duration: \"2 s 3\""],
    );
    refused(Plan, "part, budget = \"60s\"", "struct Service { a: relay }", &["conflicting-keys: budget"]);
}

#[test]
fn how_the_whole_stops() {
    let table = |keys: &str| {
        let text =
            run(Plan, &format!("{BUDGET}{keys}"), "struct Service { a: relay }").into_tokens().to_string();
        let rest = text.split_once("conduct :").map_or("", |(_, rest)| rest);
        rest.split_once(", place").map_or(rest, |(conduct, _)| conduct).trim().to_owned()
    };
    assert!(table("").ends_with("Conduct :: DEFAULT"), "{}", table(""));
    assert!(table(", job").ends_with("{ job : true , ready_in_window : false }"), "{}", table(", job"));
    let both = ", readiness = \"after-lame-duck\", job";
    assert!(table(both).ends_with("{ job : true , ready_in_window : true }"), "{}", table(both));
    let found = |keys: &str| problems(Plan, keys, "struct Service { a: relay }");
    assert_eq!(found("part, job"), ["conflicting-keys: job"]);
    assert_eq!(
        found("readiness = \"after-lame-duck\", part, job"),
        ["conflicting-keys: job", "conflicting-keys: readiness"]
    );
    assert_eq!(found(&format!("{BUDGET}, readiness = \"later\"")), ["bad-value: \"later\""]);
    assert_eq!(found(&format!("{BUDGET}, readiness")), ["bad-value: readiness"]);
    assert_eq!(found(&format!("{BUDGET}, job = true")), ["bad-value: job"]);
}

#[test]
fn phases() {
    let plan =
        |attributes: &str| problems(Plan, BUDGET, &format!("struct Service {{ {attributes} workers: b }}"));
    assert_eq!(plan("#[phase(budget = \"25s\")]"), Vec::<String>::new());
    assert_eq!(plan("#[phase(budget = \"0s\")]"), ["zero-duration: \"0s\""]);
    assert_eq!(plan("#[phase(budget = 25)]"), ["bad-duration: 25"]);
    assert_eq!(plan("#[phase(budget = \"1s\", budget = \"2s\")]"), ["duplicate-key: budget"]);
    assert_eq!(
        plan("#[phase(budget = \"1s\")] #[phase(budget = \"2s\")]"),
        ["duplicate-key: #[phase(budget = \"2s\")]"]
    );
    assert_eq!(plan("#[phase(after = a)]"), ["unknown-key: after"]);
    assert_eq!(plan("#[phase]"), ["bad-syntax: #[phase]"]);
    assert_eq!(plan("#[shutdown_order]"), ["bad-syntax: #[shutdown_order]"]);
    assert_eq!(plan("#[shutdown_order()]"), ["bad-syntax: #[shutdown_order()]"]);
}

#[test]
fn orders_of_fields() {
    let plan = |order: &str| {
        problems(
            Plan,
            BUDGET,
            &format!("struct Service {{ ingress: a, #[shutdown_order({order})] workers: b, c: d }}"),
        )
    };
    assert_eq!(plan("after = ingres"), ["unknown-phase: ingres"]);
    assert_eq!(plan("after = [ingress, nothing]"), ["unknown-phase: nothing"]);
    assert_eq!(plan("after = http::api"), ["unknown-phase: http::api"]);
    assert_eq!(
        plan("after = [one, two], before = three"),
        ["unknown-phase: one", "unknown-phase: two", "unknown-phase: three"]
    );
    assert_eq!(plan("after = a, after = c"), ["duplicate-key: after", "unknown-phase: a"]);
    assert_eq!(plan("before = workers"), ["self-order: workers"]);
    assert_eq!(plan("after = c, before = c"), ["conflicting-keys: #[shutdown_order(after = c, before = c)]"]);
    assert_eq!(plan("after = []"), Vec::<String>::new());
    assert_eq!(plan("before = ingress"), Vec::<String>::new());
}

#[test]
fn conditions_of_fields() {
    accepted(
        Plan,
        BUDGET,
        "struct S { a: b, #[cfg(unix)] c: d, #[cfg_attr(unix, shutdown_order(after = []), doc = \"x\")] e: f }",
    );
    let many: String =
        ["a", "b", "c", "d", "e"].map(|c| format!("#[cfg_attr({c}, phase(budget = \"1s\"))]")).concat();
    assert_eq!(problems(Plan, BUDGET, &format!("struct S {{ {many} a: b }}")), ["too-many-conditions: e"]);
}

#[test]
fn entry() {
    accepted(Main, "", "async fn main() -> Plan { body }");
    accepted(
        Main,
        "flavor = \"multi_thread\", worker_threads = 2",
        "async fn main(s: Startup) -> Result<Plan, E> { body }",
    );
    refused(Main, "", "fn main() -> Plan {}", &["bad-main: fn"]);
    refused(Main, "", "async fn main() {}", &["bad-main: main"]);
    refused(Main, "", "async fn main(&self) -> P {}", &["bad-main: &self"]);
    for other in ["u8", "String", "std::env::Args", "Vec<String>", "&Startup", "(Startup, u8)"] {
        let found = problems(Main, "", &format!("async fn main(a: {other}) -> P {{}}"));
        assert_eq!(found, [format!("bad-main: {other}")]);
    }
    accepted(Main, "", "async fn main(_: shutdown_runtime::Startup) -> P { body }");
    accepted(Main, "", "async fn main(boot: Boot) -> P { body }");
    refused(Main, "", "struct Main;", &["not-a-function: struct Main"]);
    refused(
        Main,
        "",
        "fn main<T>(a: A, b: B) {}",
        &["bad-main: fn", "bad-main: <T>", "bad-main: b: B", "bad-main: main"],
    );
    refused(Main, "", "async fn main<T>() -> P {}", &["bad-main: <T>"]);
    refused(Main, "", "async fn main(a: A, b: B) -> P {}", &["bad-main: b: B"]);
    refused(Main, "flavor = \"multi\"", "async fn main() -> P {}", &["bad-value: \"multi\""]);
    refused(
        Main,
        "flavor = \"current_thread\", worker_threads = 2",
        "async fn main() -> P {}",
        &["conflicting-keys: worker_threads"],
    );
    refused(Main, "worker_threads = 0", "async fn main() -> P {}", &["bad-value: 0"]);
    refused(Main, "worker_threads = \"2\"", "async fn main() -> P {}", &["bad-value: \"2\""]);
    refused(
        Main,
        "worker_threads = 1, worker_threads = 2",
        "async fn main() -> P {}",
        &["duplicate-key: worker_threads"],
    );
}
