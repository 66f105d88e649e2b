use super::Macro::{Hook, Task};
use super::{accepted, problems, refused, run};
use crate::diag::Problem;

/// What is said of a periodic task with these keys besides `every`.
fn periodic(keys: &str) -> Vec<String> {
    problems(Task, &format!("every = \"1s\", {keys}"), "async fn relay() {}")
}

/// The first message about a periodic task with these keys besides `every`.
fn message(keys: &str) -> String {
    let outcome = run(Task, &format!("every = \"1s\", {keys}"), "async fn relay() {}");
    outcome.problems.found().first().map(Problem::message).unwrap_or_default()
}

/// The unit that stands in the task's table.
fn table(keys: &str) -> String {
    let text = run(Task, &format!("every = \"1s\", {keys}"), "async fn relay() {}").into_tokens().to_string();
    let rest = text.split_once(":: Unit ::").map_or("", |(_, rest)| rest);
    rest.split_once(')').map_or(rest, |(unit, _)| unit).trim().to_owned()
}

#[test]
fn a_unit_fits_the_budget_that_is_written() {
    assert_eq!(periodic("budget = \"10s\", unit = \"12s\""), ["unit-over-budget: \"12s\""]);
    assert_eq!(periodic("unit = \"12s\", budget = \"10s\""), ["unit-over-budget: \"12s\""]);
    assert_eq!(periodic("budget = \"10s\", unit = \"10001ms\""), ["unit-over-budget: \"10001ms\""]);
    assert_eq!(periodic("budget = \"10s\", unit = \"10s\""), Vec::<String>::new());
    assert_eq!(periodic("budget = \"1ms\", unit = \"2ms\""), ["unit-over-budget: \"2ms\""]);
    assert_eq!(periodic("budget = \"24h\", unit = \"25h\""), ["unit-over-budget: \"25h\""]);
    refused(
        Task,
        "budget = \"1s\", unit = \"2s\"",
        "async fn api(stop: Shutdown) {}",
        &["unit-over-budget: \"2s\""],
    );
    accepted(Task, "budget = \"25s\", unit = \"10s\"", "async fn api(stop: Shutdown) {}");
}

#[test]
fn a_last_unit_comes_on_top_of_the_one_at_hand() {
    assert_eq!(periodic("last = true, budget = \"10s\", unit = \"5s\""), Vec::<String>::new());
    assert_eq!(
        periodic("last = true, budget = \"10s\", unit = \"5001ms\""),
        ["unit-over-budget: \"5001ms\""]
    );
    assert_eq!(periodic("last = false, budget = \"10s\", unit = \"10s\""), Vec::<String>::new());
    assert_eq!(
        message("last = true, budget = \"10s\", batch = 60, per_item = \"100ms\""),
        "[unit-over-budget] one batch of `relay` may take 60 x 100ms = 6s, the last one as long again, and its budget is 10s\n\
         help: write `batch = 50` or less, or `per_item = \"83ms\"` or less if that is true\n\
         note: a stop waits for the unit at hand, and aborts it when the budget is used up"
    );
}

#[test]
fn without_a_budget_the_plan_decides() {
    // `#[phase(budget = "15s")]` may grant it more than the default; the graph knows.
    assert_eq!(periodic("unit = \"12s\""), Vec::<String>::new());
    assert_eq!(periodic("unit = \"876000h\""), Vec::<String>::new());
    // A budget that is malformed is no budget, and says so itself.
    assert_eq!(periodic("budget = 10, unit = \"12s\""), ["bad-duration: 10"]);
}

#[test]
fn a_batch_fits_the_budget_that_is_written() {
    assert_eq!(periodic("budget = \"5s\", batch = 50, per_item = \"100ms\""), Vec::<String>::new());
    // Defect L3: 50 events of a second each.
    assert_eq!(periodic("budget = \"20s\", batch = 50, per_item = \"1s\""), ["unit-over-budget: 50"]);
    assert_eq!(periodic("budget = \"4999ms\", per_item = \"100ms\", batch = 50"), ["unit-over-budget: 50"]);
    assert_eq!(periodic("budget = \"5s\", batch = 2, per_item = \"6s\""), ["unit-over-budget: \"6s\""]);
    assert_eq!(periodic("batch = 4_294_967_295, per_item = \"1h\""), ["unit-over-budget: 4_294_967_295"]);
}

#[test]
fn the_text_has_the_arithmetic_and_what_would_fit() {
    assert_eq!(
        message("budget = \"20s\", batch = 50, per_item = \"1s\""),
        "[unit-over-budget] one batch of `relay` may take 50 x 1s = 50s, and its budget is 20s\n\
         help: write `batch = 20` or less, or `per_item = \"400ms\"` or less if that is true\n\
         note: a stop waits for the unit at hand, and aborts it when the budget is used up"
    );
    let contains = |keys: &str, part: &str| {
        let message = message(keys);
        assert!(message.contains(part), "{message}");
    };
    contains("budget = \"10s\", unit = \"12s\"", "one unit of `relay` may take 12s, and its budget is 10s");
    contains("budget = \"10s\", unit = \"12s\"", "split the work until `unit = \"10s\"` or less is true");
    contains("budget = \"1ms\", batch = 2, per_item = \"1ms\"", "2 x 1ms = 2ms, and its budget is 1ms");
    contains("budget = \"1ms\", batch = 2, per_item = \"1ms\"", "help: write `batch = 1` or less\n");
    contains("budget = \"5s\", batch = 2, per_item = \"6s\"", "help: write `per_item = \"2500ms\"` or less");
    contains("budget = \"1ms\", batch = 2, per_item = \"2ms\"", "a smaller `batch` and a smaller `per_item`");
    contains(
        "batch = 4294967295, per_item = \"876000h\"",
        "4294967295 x 3153600000s = 13544608861512000000s",
    );
    contains("batch = 4294967295, per_item = \"876000h\"", "no budget is longer than a hundred years");
}

#[test]
fn keys_of_a_batch_stand_together_and_without_unit() {
    assert_eq!(
        periodic("unit = \"1s\", batch = 5, per_item = \"1ms\""),
        ["conflicting-keys: unit"],
        "reported once"
    );
    assert_eq!(periodic("batch = 5, unit = \"1s\""), ["conflicting-keys: unit"]);
    assert_eq!(periodic("unit = \"1s\", per_item = \"1s\""), ["conflicting-keys: unit"]);
    assert_eq!(periodic("batch = 5"), ["conflicting-keys: batch"]);
    assert_eq!(periodic("per_item = \"1s\""), ["conflicting-keys: per_item"]);
    assert!(message("unit = \"1s\", batch = 5").contains("`unit` with `batch`:"));
    assert!(message("per_item = \"1s\"").contains("such as `batch = 50`"));
    // What is malformed is not missing.
    assert_eq!(periodic("batch = 0, per_item = \"1s\""), ["bad-value: 0"]);
    assert_eq!(periodic("batch = 5, per_item = 1"), ["bad-duration: 1"]);
    assert_eq!(periodic("batch, per_item = \"1s\""), ["bad-value: batch"]);
    assert_eq!(periodic("batch = 5, per_item"), ["bad-value: per_item"]);
}

#[test]
fn a_batch_is_a_whole_number_from_one() {
    let batch = |value: &str| periodic(&format!("batch = {value}, per_item = \"1ms\""));
    for fine in ["1", "50", "50u32", "1_0_u64", "0x10", "5_000usize"] {
        assert_eq!(batch(fine), Vec::<String>::new(), "{fine}");
    }
    for bad in ["0", "0_u8", "-5", "1.5", "\"50\"", "BATCH", "4_294_967_296", "99999999999999999999"] {
        assert_eq!(batch(bad), [format!("bad-value: {bad}")]);
    }
    assert_eq!(periodic("unit = \"0s\""), ["zero-duration: \"0s\""]);
    assert_eq!(periodic("unit = 5"), ["bad-duration: 5"]);
    assert_eq!(periodic("batch = 5, per_item = \"0ms\""), ["zero-duration: \"0ms\""]);
}

#[test]
fn the_table_has_what_was_written_without_rounding() {
    assert_eq!(table("unit = \"1ms\""), "Whole (1u64");
    assert_eq!(table("unit = \"26h\""), "Whole (93600000u64");
    assert_eq!(table("batch = 5_0u8, per_item = \"1ms\""), "Batch { items : 50u32 , per_item : 1u64 }");
    assert_eq!(table("budget = \"10s\""), "");
    assert_eq!(table("last = true, unit = \"1s\""), "Whole (1000u64");
}

#[test]
fn hooks_have_no_units() {
    refused(Hook, "unit = \"1s\"", "async fn leave() {}", &["unknown-key: unit"]);
    refused(
        Hook,
        "batch = 5, per_item = \"1s\"",
        "async fn leave() {}",
        &["unknown-key: batch", "unknown-key: per_item"],
    );
}
