//! Random programs as source: rustc refuses those that the oracle refuses, for the same rules, at the same fields.
//!
//! `ORACLE_PROGRAMS=500` for more of them, `ORACLE_FIRST=7` for other seeds.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use serde_json::Value;
use shutdown_oracle_tests::model::Program;
use shutdown_oracle_tests::source::{Source, source};
use shutdown_oracle_tests::tally::Tally;
use shutdown_oracle_tests::verdict::{Finding, Rule, Verdict, shown};
use shutdown_oracle_tests::{generate, oracle};

/// How many programs are compiled.
const PROGRAMS: u64 = 100;
/// How many members a program may have before it is changed.
const MEMBERS: usize = 40;

/// One program, and what rustc makes of it.
struct Subject {
    name: String,
    program: Program,
    source: Source,
    verdicts: Vec<Verdict>,
    /// Whether it was compiled.
    compiled: bool,
    /// What rustc found in each plan.
    found: BTreeMap<usize, BTreeSet<Finding>>,
    /// Errors that are none of ours.
    strange: Vec<String>,
}

fn number(variable: &str, default: u64) -> u64 {
    env::var(variable).map_or(default, |value| value.parse().expect("a number"))
}

#[test]
fn rustc_and_the_oracle_agree() {
    let (programs, first) = (number("ORACLE_PROGRAMS", PROGRAMS), number("ORACLE_FIRST", 0));
    let mut tally = Tally::default();
    let mut subjects: Vec<Subject> =
        (first..first + programs).map(|seed| subject(seed, &mut tally)).collect();
    println!("{tally}");
    if first == 0 && programs >= PROGRAMS {
        assert_mixed(&tally);
    }
    let package = package(&subjects);
    check(&package, &mut subjects);
    let disagreed: Vec<String> = subjects.iter().filter_map(disagreement).collect();
    assert!(disagreed.is_empty(), "{} programs:\n{}", disagreed.len(), disagreed.join("\n"));
}

fn subject(seed: u64, tally: &mut Tally) -> Subject {
    let (program, origin) = generate::program(seed, MEMBERS);
    let verdicts = oracle::judge(&program);
    tally.program(&program, origin, &verdicts);
    Subject {
        name: format!("seed_{seed}"),
        source: source(&program),
        program,
        verdicts,
        compiled: false,
        found: BTreeMap::new(),
        strange: Vec::new(),
    }
}

fn assert_mixed(tally: &Tally) {
    let (sound, all) = (tally.count("sound"), tally.count("programs"));
    assert!((all * 3 / 10..=all * 7 / 10).contains(&sound), "{sound} of {all} are sound");
    for rule in Rule::ALL {
        assert!(tally.count(rule.id()) >= 2, "{} is hardly ever broken", rule.id());
    }
    assert!(tally.count("with parts") >= 30 && tally.count("with orders of fields") >= 30);
}

/// A package of its own, with a program for each seed.
fn package(subjects: &[Subject]) -> PathBuf {
    let package = Path::new(env!("CARGO_TARGET_TMPDIR")).join("random-programs");
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let programs = package.join("src/bin");
    if programs.exists() {
        fs::remove_dir_all(&programs).expect("old programs can be removed");
    }
    fs::create_dir_all(&programs).expect("the target directory is writable");
    let runtime = repository.join("shutdown-runtime");
    let manifest = format!(
        "[package]\nname = \"random-programs\"\nversion = \"0.0.0\"\nedition = \"2024\"\npublish = false\n\n\
         [workspace]\n\n[dependencies]\nshutdown-runtime = {{ path = {:?} }}\n\n\
         [profile.dev]\ndebug = false\nincremental = false\n",
        runtime.display().to_string()
    );
    fs::write(package.join("Cargo.toml"), manifest).expect("a manifest is written");
    // The versions of the project, which need no network.
    fs::copy(repository.join("Cargo.lock"), package.join("Cargo.lock")).expect("the project has a lock file");
    for subject in subjects {
        fs::write(programs.join(format!("{}.rs", subject.name)), &subject.source.text)
            .expect("a program is written");
    }
    package
}

/// Compiles them all, and notes what is said.
fn check(package: &Path, subjects: &mut [Subject]) {
    let output = Command::new(env!("CARGO"))
        .args(["check", "--bins", "--keep-going", "--offline", "--quiet", "--message-format", "json"])
        .current_dir(package)
        .env("CARGO_TARGET_DIR", package.join("target"))
        .output()
        .expect("cargo runs");
    let text = String::from_utf8_lossy(&output.stdout);
    let mut seen = false;
    for line in text.lines() {
        let message: Value = serde_json::from_str(line).expect("cargo writes JSON");
        let name = message["target"]["name"].as_str().unwrap_or_default();
        let Some(subject) = subjects.iter_mut().find(|subject| subject.name == name) else { continue };
        seen = true;
        match message["reason"].as_str() {
            Some("compiler-artifact") => subject.compiled = true,
            Some("compiler-message") => note(&message["message"], subject),
            _ => {}
        }
    }
    assert!(seen, "nothing was compiled:\n{}", String::from_utf8_lossy(&output.stderr));
}

fn note(message: &Value, subject: &mut Subject) {
    let text = message["message"].as_str().unwrap_or_default();
    if message["level"] != "error" || text.starts_with("aborting due to") {
        return;
    }
    let spans = message["spans"].as_array().into_iter().flatten();
    let line = spans.filter(|span| span["is_primary"] == true).find_map(|span| span["line_start"].as_u64());
    let place = line.and_then(|line| subject.source.places.get(&usize::try_from(line).ok()?));
    match (text.strip_prefix("evaluation panicked: "), place) {
        (Some(text), Some((plan, place))) => {
            let found = Rule::named_in(text).map(|rule| (*place, rule));
            subject.found.entry(*plan).or_default().extend(found);
        }
        _ => subject.strange.push(message["rendered"].as_str().unwrap_or(text).to_owned()),
    }
}

fn disagreement(subject: &Subject) -> Option<String> {
    let nothing = BTreeSet::new();
    let plans = subject.verdicts.iter().enumerate().filter_map(|(plan, verdict)| {
        let found = subject.found.get(&plan).unwrap_or(&nothing);
        let name = subject.program.plan_name(plan);
        (!verdict.agrees(found)).then(|| format!("`{name}`: the oracle: {verdict}; rustc: {}", shown(found)))
    });
    let mut said: Vec<String> = plans.chain(subject.strange.iter().cloned()).collect();
    let sound = subject.verdicts.iter().all(Verdict::is_sound);
    if sound != subject.compiled {
        said.push(format!("sound: {sound}, compiled: {}", subject.compiled));
    }
    (!said.is_empty()).then(|| format!("== {}\n{}\n{}", subject.name, said.join("\n"), subject.source.text))
}
