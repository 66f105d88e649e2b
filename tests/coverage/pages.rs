//! What the pages of `docs` say is shown by a test is shown by one.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::{ROOT, files, text};

/// The rows of all tables of a page in `docs`, without heads.
fn rows_of_page(page: &str) -> Vec<String> {
    let page = text(&Path::new(ROOT).join("docs").join(page));
    let lines: Vec<&str> = page.lines().collect();
    let is_head = |at: usize| lines.get(at + 1).is_some_and(|next| next.starts_with("|---"));
    let rows = lines.iter().enumerate().filter(|(at, line)| line.starts_with("| ") && !is_head(*at));
    rows.map(|(_, line)| (*line).to_owned()).collect()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// The files that a row names, and what of its files and tests there is not. A folder stands for all that is in it.
fn named_by(row: &str) -> (Vec<PathBuf>, Vec<String>) {
    let (mut found, mut missing) = (Vec::new(), Vec::new());
    for word in words(row) {
        let place = match word.strip_prefix("deploy/") {
            Some(file) => Path::new(ROOT).join("examples/order-service/deploy").join(file),
            None if word.starts_with("tests/") || word.starts_with("examples/") => Path::new(ROOT).join(word),
            None => continue,
        };
        let source = place.with_extension("rs");
        match (place.is_dir(), place.exists(), source.exists()) {
            (true, ..) => found.extend(files(&place, "rs")),
            (_, true, _) => found.push(place),
            (.., true) => found.push(source),
            _ => missing.push(format!("`{word}` is not there")),
        }
    }
    let last = row.rsplit('|').nth(1).unwrap_or_default();
    for name in words(last).filter(|name| !name.contains('/')) {
        if !found.iter().any(|file| text(file).contains(&format!("fn {name}("))) {
            missing.push(format!("`{name}` is in none of the files beside it"));
        }
    }
    (found, missing)
}

#[test]
fn the_page_of_ways_around_names_tests() {
    let named = rows_of_page("ways-around.md").iter().map(|row| named_by(row)).collect::<Vec<_>>();
    let seen: usize = named.iter().map(|(found, _)| found.len()).sum();
    assert!(seen > 25, "{seen}");
    let missing: Vec<_> = named.into_iter().flat_map(|(_, missing)| missing).collect();
    assert!(missing.is_empty(), "{missing:#?}");
}

/// Every row shows a test that exists, or says why there is none.
fn assert_shown(rows: &[String]) {
    let mut wrong = Vec::new();
    for row in rows {
        let (found, missing) = named_by(row);
        wrong.extend(missing);
        let last = row.rsplit('|').nth(1).unwrap_or_default();
        let is_excused = last.contains("not shown yet: ") || last.trim() == "of the text";
        if row.split('|').count() != 6 || (found.is_empty() && !is_excused) {
            wrong.push(format!("nothing shows {row}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_rule_of_the_guide_is_met_by_what_a_test_shows() {
    let rows = rows_of_page("rules.md");
    let rules: BTreeSet<&str> = rows.iter().filter_map(|row| words(row).next()).collect();
    assert_eq!((rows.len(), rules.len()), (36, 36));
    assert_shown(&rows);
    // Comments cite no others.
    let mut unknown = BTreeSet::new();
    for folder in ["examples", "shutdown-runtime/src", "shutdown-macros/src", "tests/behaviour"] {
        for extension in ["rs", "sql", "md", "yaml", "service"] {
            for file in files(&Path::new(ROOT).join(folder), extension) {
                for cited in text(&file).split("R-SHUT-").skip(1) {
                    let rest = cited.find(|c: char| !c.is_ascii_alphanumeric() && c != '-');
                    let cited = format!("R-SHUT-{}", &cited[..rest.unwrap_or(cited.len())]);
                    if !rules.contains(cited.trim_end_matches('-')) {
                        unknown.insert(cited);
                    }
                }
            }
        }
    }
    assert!(unknown.is_empty(), "{unknown:?}");
}

#[test]
fn every_defect_of_the_guide_is_answered_by_what_a_test_shows() {
    let rows = rows_of_page("defects.md");
    assert_shown(&rows);
    let (defects, orders): (Vec<_>, Vec<_>) = rows.iter().partition(|row| row.starts_with("| L"));
    assert_eq!((orders.len(), defects.len()), (3, 40));
    for (row, number) in defects.iter().zip(1..) {
        assert!(row.starts_with(&format!("| L{number} | ")), "{row}");
    }
}
