//! The manifest that a plan names: what it must grant, and what is none.

use super::Macro::Plan;
#[cfg(feature = "kubernetes")]
use super::{accepted, refused};
use super::{problems, run};

const SERVICE: &str = "struct Service { a: relay }";

#[cfg(not(feature = "kubernetes"))]
#[test]
fn the_key_is_that_of_a_feature() {
    let keys = "budget = \"60s\", kubernetes = \"a.yaml\"";
    assert_eq!(problems(Plan, keys, SERVICE), ["unknown-key: kubernetes"]);
    let said = run(Plan, keys, SERVICE).into_tokens().to_string();
    assert!(said.contains("only with the feature `kubernetes`"), "{said}");
}

#[cfg(feature = "kubernetes")]
#[test]
fn a_manifest_grants_what_the_plan_counts_on() {
    let plan = |times: &str, file: &str| format!("{times}, kubernetes = \"src/tests/manifests/{file}\"");
    let fits = plan("budget = \"45s\", pre_stop = \"10s\"", "deployment.yaml");
    accepted(Plan, &fits, SERVICE);
    let tokens = run(Plan, &fits, SERVICE).into_tokens().to_string();
    assert!(tokens.contains("include_bytes ! (\"") && tokens.contains("deployment.yaml"), "{tokens}");
    accepted(Plan, &plan("budget = \"30s\", pre_stop = \"10s\"", "deployment.yaml"), SERVICE);
    let named = "manifest-grants-less: \"src/tests/manifests/deployment.yaml\"";
    for times in [
        "budget = \"46s\", pre_stop = \"10s\"",
        "budget = \"45s\", pre_stop = \"5s\"",
        "budget = \"45s\", pre_stop = \"11s\"",
        "budget = \"45s\"",
    ] {
        refused(Plan, &plan(times, "deployment.yaml"), SERVICE, &[named]);
    }
    // What is not written is thirty seconds; a hook of which nobody knows how long it takes needs some `pre_stop`.
    accepted(Plan, &plan("budget = \"30s\", pre_stop = \"7s\"", "default.yaml"), SERVICE);
    let named = "manifest-grants-less: \"src/tests/manifests/default.yaml\"";
    refused(Plan, &plan("budget = \"31s\", pre_stop = \"7s\"", "default.yaml"), SERVICE, &[named]);
    refused(Plan, &plan("budget = \"30s\"", "default.yaml"), SERVICE, &[named]);
}

#[cfg(feature = "kubernetes")]
#[test]
fn what_is_no_manifest() {
    let bad = |file: &str| problems(Plan, &format!("budget = \"60s\", kubernetes = \"{file}\""), SERVICE);
    assert_eq!(bad("nowhere.yaml"), ["bad-manifest: \"nowhere.yaml\""]);
    assert_eq!(bad("src"), ["bad-manifest: \"src\""]);
    assert_eq!(bad("Cargo.toml"), ["bad-manifest: \"Cargo.toml\""]);
    refused(Plan, "budget = \"60s\", kubernetes = 5", SERVICE, &["bad-value: 5"]);
    refused(Plan, "part, kubernetes = \"a.yaml\"", SERVICE, &["conflicting-keys: kubernetes"]);
}
