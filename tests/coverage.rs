//! Every message has an id; every id has a refused program, a compiling twin and a page.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

#[path = "coverage/pages.rs"]
mod pages;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

fn files(directory: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).into_iter().flatten().filter_map(Result::ok) {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files(&path, extension));
        } else if path.extension().is_some_and(|of| of == extension) {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

fn is_id(word: &str) -> bool {
    word.contains('-')
        && word.split('-').all(|part| !part.is_empty() && part.chars().all(|c| c.is_ascii_lowercase()))
}

/// The ids in a text, each between `open` and `close`.
fn between(text: &str, open: &str, close: &str) -> BTreeSet<String> {
    let ids = text.split(open).skip(1).filter_map(|rest| rest.split(close).next());
    ids.filter(|id| is_id(id)).map(str::to_owned).collect()
}

/// The ids that the two crates can say.
fn ids() -> BTreeSet<String> {
    let mut ids = ids_of_the_expansion();
    for crate_of in ["shutdown-runtime/src", "shutdown-macros/src"] {
        for file in sources(crate_of) {
            ids.extend(between(&text(&file), "\"[", "]"));
        }
    }
    ids
}

/// Those that the macros say of one item, each where it is found.
fn ids_of_the_expansion() -> BTreeSet<String> {
    let mut ids = BTreeSet::new();
    for file in sources("shutdown-macros/src") {
        let source = text(&file);
        for call in ["Problem::at(", "Problem::spanned("] {
            for arguments in source.split(call).skip(1) {
                let arguments = arguments.split(';').next().unwrap_or_default();
                ids.extend(between(arguments, "\"", "\"").into_iter().take(1));
            }
        }
        ids.extend(between(&source, "structure(\"resource\", \"", "\""));
        ids.extend(between(&source, "structure(\"shutdown_plan\", \"", "\""));
    }
    ids
}

/// A crate's source files, without the tests, which quote texts of all kinds.
fn sources(directory: &str) -> Vec<PathBuf> {
    let directory = Path::new(ROOT).join(directory);
    files(&directory, "rs").into_iter().filter(|file| !file.starts_with(directory.join("tests"))).collect()
}

#[test]
fn every_rule_of_the_expansion_has_a_unit_test_of_what_it_underlines() {
    let ids = ids_of_the_expansion();
    assert!(ids.len() > 25, "{ids:?}");
    let tests: String = files(&Path::new(ROOT).join("shutdown-macros/src/tests"), "rs")
        .iter()
        .map(|file| text(file))
        .collect();
    let missing: Vec<&String> = ids.iter().filter(|id| !tests.contains(&format!("\"{id}: "))).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn every_id_is_covered() {
    let ids = ids();
    assert!(ids.len() > 40, "{ids:?}");
    let outputs: String =
        files(&Path::new(ROOT).join("tests/ui"), "stderr").iter().map(|file| text(file)).collect();
    let shown = between(&outputs, "[", "]");
    let mut missing = Vec::new();
    for id in &ids {
        if !shown.contains(id) {
            missing.push(format!("`{id}` has no refused program in tests/ui"));
        }
        if !Path::new(ROOT).join("docs/diagnostics").join(format!("{id}.md")).exists() {
            missing.push(format!("`{id}` has no page in docs/diagnostics"));
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
}

/// As many lines as one repair may touch: a method moves out of its `impl`, two fields change places.
const PLACE: usize = 6;

/// How many lines lie between the first and the last that differ, in the longer of the two texts.
fn lines_that_differ(one: &str, other: &str) -> usize {
    let (one, other): (Vec<_>, Vec<_>) = (one.lines().collect(), other.lines().collect());
    let equal = |pair: &(&&str, &&str)| pair.0 == pair.1;
    let first = one.iter().zip(&other).take_while(equal).count();
    let last = one.iter().rev().zip(other.iter().rev()).take_while(equal).count();
    let longer = one.len().max(other.len());
    longer.saturating_sub(first + last)
}

#[test]
fn every_refused_program_has_an_output_and_a_twin_that_differs_in_one_place() {
    let ui = Path::new(ROOT).join("tests/ui");
    let mut wrong = Vec::new();
    for file in files(&ui, "rs") {
        let name = file.strip_prefix(&ui).unwrap_or(&file).to_path_buf();
        if !file.with_extension("stderr").exists() {
            wrong.push(format!("{} has no output", name.display()));
        }
        let (refused, twin) = (text(&file), text(&Path::new(ROOT).join("tests/pass").join(&name)));
        if twin.is_empty() || twin == refused {
            wrong.push(format!("{} has no twin", name.display()));
        } else if lines_that_differ(&refused, &twin) > PLACE && !name.ends_with("several.rs") {
            wrong.push(format!("the twin of {} differs in more than one place", name.display()));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The rows of the table in `tests/README.md` that stands under this heading, each as its words in backticks.
fn rows(heading: &str) -> Vec<Vec<String>> {
    let readme = text(&Path::new(ROOT).join("tests/README.md"));
    let table = readme.split(heading).nth(1).unwrap_or_default();
    let lines = table.lines().skip_while(|line| !line.starts_with("|---")).skip(1);
    let rows = lines.take_while(|line| line.starts_with('|'));
    rows.map(|row| row.split('`').skip(1).step_by(2).map(str::to_owned).collect()).collect()
}

#[test]
fn the_table_of_guises_names_the_fixtures_of_the_canonical_program_and_no_other() {
    let ui = Path::new(ROOT).join("tests/ui");
    let named: Vec<String> = rows("| guise | fixtures |").into_iter().flatten().collect();
    assert!(named.len() > 40, "{named:?}");
    let whole = |name: &String| {
        let candidates =
            [format!("graph/close-before-wait-{name}"), format!("graph/{name}"), format!("types/{name}")];
        candidates.into_iter().find(|fixture| ui.join(fixture).with_extension("rs").exists())
    };
    let missing: Vec<_> = named
        .iter()
        .filter(|name| whole(name).is_none() && !Path::new(ROOT).join("tests").join(name).exists())
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
    let fixtures: BTreeSet<String> = named.iter().filter_map(whole).collect();
    let forgotten: Vec<_> = files(&ui.join("graph"), "rs")
        .into_iter()
        .map(|file| format!("graph/{}", file.file_stem().unwrap_or_default().to_string_lossy()))
        .filter(|name| name.contains("close-before-wait") && !fixtures.contains(name))
        .collect();
    assert!(forgotten.is_empty(), "{forgotten:?}");
}

#[test]
fn the_tables_of_troubles_name_tests() {
    let (macros, cancelled) = (rows("| # | trouble | test |"), rows("| row | cancelled | test |"));
    let stops = rows("| row | trouble | test |");
    assert_eq!((macros.len(), cancelled.len()), (13, 11));
    assert!(stops.len() > 40, "{}", stops.len());
    for row in macros.into_iter().chain(cancelled).chain(stops) {
        let found = |name: &&String| {
            let places = [Path::new(ROOT).join("tests").join(name), Path::new(ROOT).join(name)];
            places.into_iter().find(|place| place.exists() || place.with_extension("rs").exists())
        };
        let files: Vec<PathBuf> =
            row.iter().filter(|name| name.contains('/')).filter_map(|name| found(&name)).collect();
        assert_eq!(files.len(), row.iter().filter(|name| name.contains('/')).count(), "{row:?}");
        let of_code = ["Drop", "main"];
        for name in row.iter().filter(|name| !name.contains('/') && !of_code.contains(&name.as_str())) {
            assert!(files.iter().any(|file| text(file).contains(name.as_str())), "`{name}` in {row:?}");
        }
    }
}

#[test]
fn the_table_of_http_names_every_row_that_is_tested_and_no_other() {
    let tests: String = files(&Path::new(ROOT).join("tests/behaviour/tests/http"), "rs")
        .iter()
        .map(|file| text(file))
        .collect();
    let named: BTreeSet<String> =
        rows("| # | HTTP | test |").into_iter().flatten().filter(|name| name.starts_with("row")).collect();
    let tested: BTreeSet<String> = tests
        .split("async fn row")
        .skip(1)
        .filter_map(|rest| rest.split('(').next())
        .map(|rest| format!("row{rest}"))
        .collect();
    assert_eq!(named, tested);
}

#[test]
fn every_page_is_of_an_id_and_shows_a_fixture_its_output_and_its_twin() {
    let ids = ids();
    let fixtures = files(&Path::new(ROOT).join("tests/ui"), "rs");
    let mut wrong = Vec::new();
    for page in files(&Path::new(ROOT).join("docs/diagnostics"), "md") {
        let id = page.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if id == "README" {
            continue;
        }
        if !ids.contains(&id) {
            wrong.push(format!("{id}.md is of no id"));
        }
        let text = text(&page);
        if text.contains("--> ui/") || text.contains("$DIR") {
            wrong.push(format!("{id}.md names a file that no reader has"));
        }
        if !fixtures.iter().any(|fixture| shows(&text, fixture)) {
            wrong
                .push(format!("{id}.md does not show a fixture, line by line, with its output and its twin"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Whether a page has the whole of a fixture, as a reader's `src/main.rs`, so that the lines which the output names are
/// those that the page shows.
fn shows(page: &str, fixture: &Path) -> bool {
    let ui = Path::new(ROOT).join("tests/ui");
    let name = fixture.strip_prefix(&ui).unwrap_or(fixture);
    let program = |path: &Path| format!("```rust,ignore\n{}\n```", text(path).trim());
    let output = text(&fixture.with_extension("stderr"));
    let output = output.replace("$DIR/", "").replace(&format!("ui/{}", name.display()), "src/main.rs");
    page.contains(&program(fixture))
        && page.contains(&format!("```text\n{}\n```", output.trim()))
        && page.contains(&program(&Path::new(ROOT).join("tests/pass").join(name)))
}
