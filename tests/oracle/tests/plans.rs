//! Random plans: the check and the oracle agree on what is sound, and on which rule is broken where.
//!
//! `ORACLE_PLANS=1000000` for more of them, `ORACLE_FIRST=7` for other seeds.

use std::collections::BTreeSet;
use std::process::Command;
use std::thread;

use shutdown_oracle_tests::model::Program;
use shutdown_oracle_tests::source::source;
use shutdown_oracle_tests::tally::Tally;
use shutdown_oracle_tests::verdict::{Finding, Place, Rule, Verdict, shown};
use shutdown_oracle_tests::witness::untrue;
use shutdown_oracle_tests::{generate, oracle, tables};

/// How many programs the suite compares.
const PLANS: u64 = 20_000;
/// How many one process compares: tables are never freed.
const BATCH: u64 = 25_000;
/// How many members a program may have before it is changed.
const MEMBERS: usize = 60;

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).map_or(default, |value| value.parse().expect("a number"))
}

#[test]
fn the_check_and_the_oracle_agree() {
    let (plans, first) = (number("ORACLE_PLANS", PLANS), number("ORACLE_FIRST", 0));
    let tally = if plans <= BATCH { here(first, plans) } else { in_batches(first, plans) };
    println!("{tally}");
    if plans >= PLANS {
        assert_mixed(&tally);
    }
}

/// Compares in processes of their own, one after another.
fn in_batches(first: u64, plans: u64) -> Tally {
    let mut tally = Tally::default();
    for from in (0..plans).step_by(usize::try_from(BATCH).expect("a small number")) {
        let output = Command::new(std::env::current_exe().expect("this program has a path"))
            .args(["--exact", "the_check_and_the_oracle_agree", "--nocapture"])
            .env("ORACLE_FIRST", (first + from).to_string())
            .env("ORACLE_PLANS", BATCH.min(plans - from).to_string())
            .output()
            .expect("this program runs again");
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
        tally.join(&Tally::read(&text));
    }
    tally
}

/// Compares in this process, in as many threads as there are cores.
fn here(first: u64, plans: u64) -> Tally {
    let threads = thread::available_parallelism().map_or(1, |count| count.get() as u64);
    let mut tally = Tally::default();
    let mut disagreements = Vec::new();
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|worker| {
                let seeds = (first + worker..first + plans).step_by(usize::try_from(threads).unwrap_or(1));
                scope.spawn(move || compare_all(seeds))
            })
            .collect();
        for worker in workers {
            let (counted, disagreed) = worker.join().expect("a comparison does not panic");
            tally.join(&counted);
            disagreements.extend(disagreed);
        }
    });
    let smallest = disagreements.iter().min_by_key(|disagreement| disagreement.size);
    if let Some(smallest) = smallest {
        panic!("{} of {plans} disagree, the smallest of them:\n{}", disagreements.len(), smallest.text);
    }
    tally
}

struct Disagreement {
    size: usize,
    text: String,
}

fn compare_all(seeds: impl Iterator<Item = u64>) -> (Tally, Vec<Disagreement>) {
    let mut tally = Tally::default();
    let mut disagreements = Vec::new();
    for seed in seeds {
        let (program, origin) = generate::program(seed, MEMBERS);
        let verdicts = oracle::judge(&program);
        tally.program(&program, origin, &verdicts);
        for ((plan, spec), verdict) in tables::tables(&program).into_iter().enumerate().zip(&verdicts) {
            let said = tables::said(spec);
            tally.add("texts", said.len() as u64);
            tally.add("texts cut", said.iter().filter(|(_, text)| is_cut(text)).count() as u64);
            let untrue = said.iter().find_map(|(_, text)| untrue(&program, plan, text));
            if untrue.is_some() || !agree(verdict, &said) {
                disagreements.push(Disagreement {
                    size: program.items.len(),
                    text: described(seed, &program, plan, verdict, &said, untrue.as_deref()),
                });
            }
        }
    }
    (tally, disagreements)
}

fn described(
    seed: u64,
    program: &Program,
    plan: usize,
    verdict: &Verdict,
    said: &[(Place, String)],
    untrue: Option<&str>,
) -> String {
    let texts: Vec<&str> = said.iter().map(|(_, text)| text.as_str()).collect();
    format!(
        "seed {seed}, `{}`\nthe oracle: {verdict}\nthe check: {}\n{}\n\n{}\n{}",
        program.plan_name(plan),
        shown(&findings(said)),
        texts.join("\n\n"),
        untrue.map(|lines| format!("untrue: {lines}\n")).unwrap_or_default(),
        source(program).text
    )
}

fn findings(said: &[(Place, String)]) -> BTreeSet<Finding> {
    said.iter().flat_map(|(place, text)| Rule::named_in(text).map(|rule| (*place, rule))).collect()
}

fn is_cut(text: &str) -> bool {
    text.ends_with("...")
}

/// Whether both say the same; of a text that was cut only the beginning is known.
fn agree(verdict: &Verdict, said: &[(Place, String)]) -> bool {
    let mut known = findings(said);
    if let Verdict::Findings(expected) = verdict {
        for (place, _) in said.iter().filter(|(_, text)| is_cut(text)) {
            known.extend(expected.iter().filter(|(expected, _)| expected == place));
        }
    }
    verdict.agrees(&known)
}

/// About half are sound, every rule is broken often, alone too, and plans have every shape.
fn assert_mixed(tally: &Tally) {
    let sound = tally.per_mille("sound");
    assert!((400..=650).contains(&sound), "{sound} of 1000 are sound");
    let at_least = |name: &str, least: u64| {
        let found = tally.per_mille(name);
        assert!(found >= least, "{name}: {found} of 1000, expected {least}");
    };
    for rule in Rule::ALL {
        at_least(rule.id(), 30);
        at_least(&format!("only {}", rule.id()), 5);
    }
    at_least("cycle of fields", 20);
    at_least("refused in a part", 50);
    at_least("near-sound and refused", 250);
    at_least("sound, 20 members or more", 100);
    at_least("40 members or more", 50);
    for shape in ["parts", "orders of fields", "orders of items", "uses", "uses by resources"] {
        at_least(&format!("with {shape}"), 400);
    }
    at_least("with parts in parts", 200);
    at_least("with `before` on fields", 150);
    at_least("with hooks at the drain", 200);
    at_least("with hooks at the drain that use something", 100);
    at_least("with hooks at the drain that have orders", 30);
    assert!(tally.count("texts cut") * 1_000 <= tally.count("texts"), "too many texts do not fit");
}
