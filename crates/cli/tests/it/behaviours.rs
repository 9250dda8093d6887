//! `docs/behaviours.md` is true of the sources: it names the checks that there are, each of them runs the program, and each id
//! that the sources name is defined there. `tests/conformance/run.py` writes the checks into it and says which of them hold.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Behaviours without any check yet. A row leaves this list when its check lands; no row enters it.
const UNCHECKED: &[&str] = &[];

/// What runs the program: the ways of `memdir_testkit::TestEnv`.
const RUNS: &[&str] = &[".run(", ".run_in(", ".json(", ".command("];

/// A test that runs the program: its name, and the file it is in.
type Check = (String, String);

/// Every behaviour of the page with its checks.
fn page() -> BTreeMap<String, Vec<Check>> {
    let text = std::fs::read_to_string(root().join("docs/behaviours.md")).unwrap();
    let mut rows: BTreeMap<String, Vec<Check>> = BTreeMap::new();
    let mut current = None;
    for line in text.lines() {
        if let Some(id) = line.strip_prefix("- **").and_then(|rest| rest.split("**").next()) {
            assert!(!rows.contains_key(id), "{id} is defined twice");
            rows.insert(id.to_owned(), Vec::new());
            current = Some(id.to_owned());
        } else if let Some(check) = line.strip_prefix("  - ") {
            let id = current.as_ref().unwrap_or_else(|| panic!("a check without a behaviour: {line}"));
            let parts: Vec<&str> = check.split('`').collect();
            let check = match parts.as_slice() {
                ["by run: ", test, " in ", file, ""] => Some(((*test).to_owned(), (*file).to_owned())),
                ["no check yet"] => None,
                _ => panic!("{id}: not a check: {line}"),
            };
            rows.entry(id.clone()).or_default().extend(check);
        }
    }
    rows
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().and_then(Path::parent).unwrap()
}

/// Every function of the command line's tests: name, file, text, and whether it is a test.
fn functions() -> Vec<(String, String, String, bool)> {
    let mut found = Vec::new();
    for (path, text) in super::sources() {
        let file = path.strip_prefix(root()).unwrap().to_str().unwrap().to_owned();
        if !file.starts_with("crates/cli/tests/") || file.ends_with("it/behaviours.rs") {
            continue;
        }
        let starts: Vec<usize> = text.match_indices("fn ").map(|(at, _)| at).collect();
        for (number, at) in starts.iter().enumerate() {
            let line = text[..*at].rfind('\n').map_or(0, |end| end + 1);
            if !text[line..*at].split_whitespace().all(|word| word.starts_with("pub")) {
                continue;
            }
            let name = text[at + 3..].split(['(', '<']).next().unwrap_or_default().to_owned();
            let end = starts.get(number + 1).copied().unwrap_or(text.len());
            let above = text[..line].lines().rev().take_while(|line| line.trim_start().starts_with("#["));
            let is_test = above.into_iter().any(|line| line.trim() == "#[test]");
            found.push((name, file.clone(), text[*at..end].to_owned(), is_test));
        }
    }
    found
}

#[test]
fn the_page_names_every_check_and_nothing_else() {
    let rows = page();
    assert!(rows.len() > 100, "the page was not read: {} rows", rows.len());
    let mut there: BTreeMap<String, Vec<Check>> = rows.keys().map(|id| (id.clone(), Vec::new())).collect();
    for (name, file, _, is_test) in functions() {
        for id in ids(&format!("fn {name}(")).into_iter().filter(|_| is_test) {
            let id = rows.keys().find(|row| row.eq_ignore_ascii_case(&id)).unwrap_or_else(|| panic!("{id} of {name}"));
            there.entry(id.clone()).or_default().push((name.clone(), file.clone()));
        }
    }
    for (id, mut checks) in rows {
        let mut found = there.remove(&id).unwrap_or_default();
        checks.sort();
        found.sort();
        assert_eq!(checks, found, "{id}: `tests/conformance/run.py --write` makes the page anew");
    }
}

#[test]
fn what_has_no_check_is_listed() {
    let without: Vec<String> = page().into_iter().filter(|(_, checks)| checks.is_empty()).map(|(id, _)| id).collect();
    let mut listed: Vec<&str> = UNCHECKED.to_vec();
    listed.sort_unstable();
    assert_eq!(without, listed);
}

/// Whether a text calls a function of this name.
fn calls(text: &str, name: &str) -> bool {
    let part_of_a_name = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '.');
    text.match_indices(&format!("{name}(")).any(|(at, _)| !text[..at].ends_with(part_of_a_name))
}

/// A test that only names an id proves nothing.
#[test]
fn every_check_runs_the_program() {
    let all = functions();
    let mut running: BTreeSet<&str> = BTreeSet::new();
    loop {
        let before = running.len();
        for (name, _, text, _) in &all {
            let calls = |other: &&str| calls(text, other);
            if RUNS.iter().any(|run| text.contains(run)) || running.iter().any(calls) {
                running.insert(name);
            }
        }
        if running.len() == before {
            break;
        }
    }
    let still: Vec<String> =
        page().into_values().flatten().map(|(name, _)| name).filter(|name| !running.contains(name.as_str())).collect();
    assert!(still.is_empty(), "these run no program: {still:?}");
}

#[test]
fn every_id_in_the_sources_is_defined() {
    let rows = page();
    let mut strangers = Vec::new();
    let known = |id: &str| rows.keys().any(|row| row.eq_ignore_ascii_case(id));
    for (path, text) in super::sources() {
        if path.ends_with("it/behaviours.rs") {
            continue;
        }
        for line in text.lines() {
            for id in ids(line) {
                if !known(&id) {
                    strangers.push(format!("{}: {id}: {line}", path.display()));
                }
            }
        }
    }
    assert!(strangers.is_empty(), "not in docs/behaviours.md:\n{}", strangers.join("\n"));
}

/// The ids that a line names: at the start of a test's name, or in brackets in a comment.
fn ids(line: &str) -> Vec<String> {
    let line = line.trim();
    if let Some(name) = line.strip_prefix("fn ").and_then(|rest| rest.split(['(', '<']).next()) {
        let ids: Vec<&str> = name.split('_').take_while(|word| is_id(word)).collect();
        // `x86_64` is a machine.
        return if ids == ["x86"] { Vec::new() } else { ids.into_iter().map(str::to_owned).collect() };
    }
    let Some((_, comment)) = line.split_once("//") else { return Vec::new() };
    let bracketed = comment.split('(').skip(1).filter_map(|rest| rest.split(')').next());
    bracketed
        .map(|inside| {
            inside.split([',', ' ']).filter(|word| !word.is_empty()).map(str::to_lowercase).collect::<Vec<_>>()
        })
        .filter(|words| words.iter().all(|word| is_id(word)))
        .flatten()
        .collect()
}

/// One letter, a number, and perhaps a `b`.
fn is_id(word: &str) -> bool {
    let mut letters = word.chars();
    let digits = letters.next().filter(char::is_ascii_lowercase).map(|_| letters.as_str());
    digits.is_some_and(|digits| {
        let digits = digits.strip_suffix('b').unwrap_or(digits);
        (1..=2).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit())
    })
}

#[test]
fn ids_are_told_from_other_words() {
    for (line, want) in [
        ("fn p8_t4_links_are_refused() {", vec!["p8", "t4"]),
        ("    fn l1b_l3_other_layouts(x: u8) {", vec!["l1b", "l3"]),
        ("fn the_p8_rule() {", vec![]),
        ("fn x86_64() {", vec![]),
        ("// kept as it was (I1, F3).", vec!["i1", "f3"]),
        ("//! What enters (P1).", vec!["p1"]),
        ("// a bucket (an S3 server)", vec![]),
        ("let p1 = \"(P2)\";", vec![]),
    ] {
        assert_eq!(ids(line), want, "{line}");
    }
}
