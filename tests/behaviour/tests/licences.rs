//! Every dependency, of whatever kind, has a licence that a user of MIT OR Apache-2.0 code can live with.

use std::process::Command;

/// Alternatives are checked one by one: one of them suffices; all that are joined by AND must be here.
const ALLOWED: &[&str] = &[
    "MIT",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
    "0BSD",
    "MIT-0",
    "CDLA-Permissive-2.0",
];

fn allowed(expression: &str) -> bool {
    let expression = expression.replace('/', " OR ");
    let expression = expression.trim();
    let inner = expression.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    if let Some(inner) = inner.filter(|inner| balanced(inner)) {
        return allowed(inner);
    }
    // OR binds loosest.
    for (word, all) in [(" OR ", false), (" AND ", true)] {
        let parts = split(expression, word);
        if parts.len() > 1 {
            return if all {
                parts.iter().all(|part| allowed(part))
            } else {
                parts.iter().any(|part| allowed(part))
            };
        }
    }
    ALLOWED.contains(&expression)
}

fn balanced(text: &str) -> bool {
    let mut depth = 0_i32;
    for character in text.chars() {
        depth += i32::from(character == '(') - i32::from(character == ')');
        if depth < 0 {
            return false;
        }
    }
    depth == 0
}

/// Splits at a word outside of parentheses.
fn split<'a>(text: &'a str, word: &str) -> Vec<&'a str> {
    let mut parts = Vec::new();
    let mut rest = 0;
    for (at, _) in text.match_indices(word) {
        if balanced(&text[rest..at]) {
            parts.push(&text[rest..at]);
            rest = at + word.len();
        }
    }
    parts.push(&text[rest..]);
    parts
}

#[test]
fn expressions_are_read() {
    assert!(allowed("MIT OR GPL-3.0") && allowed("MIT/Apache-2.0") && allowed("(MIT OR X) AND Unicode-3.0"));
    assert!(
        !allowed("GPL-3.0")
            && !allowed("MIT AND GPL-3.0")
            && !allowed("(X OR Y) AND MIT")
            && !allowed("")
            && allowed("MIT OR GPL-3.0 AND X")
    );
}

#[test]
fn every_dependency_has_an_allowed_licence() {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--workspace", "--all-features", "--prefix", "none", "--format", "{p}|{l}"])
        .args(["--edges", "normal,build,dev", "--locked"])
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("names are UTF-8");
    let refused: std::collections::BTreeSet<_> = text
        .lines()
        .filter(|line| !line.is_empty())
        .filter(|line| {
            let licence = line.rsplit_once('|').map_or("", |(_, licence)| licence.trim_end_matches(" (*)"));
            !allowed(licence)
        })
        .collect();
    assert!(refused.is_empty(), "{refused:#?}");
}
