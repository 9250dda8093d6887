//! `docs/behaviours.md` is true of the sources: each proof it names exists, and each id that the sources name is defined there.

use std::collections::BTreeMap;
use std::path::Path;

/// Behaviours without any proof yet. A row leaves this list when its proof lands; no row enters it.
const UNPROVEN: &[&str] = &["V1", "V2", "B1", "B2", "B3"];

/// One line below a behaviour: the test, and the file it stands in.
struct Proof {
    test: String,
    file: String,
}

/// Every behaviour of the page with its proofs.
fn page() -> BTreeMap<String, Vec<Proof>> {
    let text = std::fs::read_to_string(root().join("docs/behaviours.md")).unwrap();
    let mut rows: BTreeMap<String, Vec<Proof>> = BTreeMap::new();
    let mut current = None;
    for line in text.lines() {
        if let Some(id) = line.strip_prefix("- **").and_then(|rest| rest.split("**").next()) {
            assert!(!rows.contains_key(id), "{id} is defined twice");
            rows.insert(id.to_owned(), Vec::new());
            current = Some(id.to_owned());
        } else if let Some(proof) = line.strip_prefix("  - ") {
            let id = current.as_ref().unwrap_or_else(|| panic!("a proof without a behaviour: {line}"));
            let parts: Vec<&str> = proof.split('`').collect();
            let proof = match parts.as_slice() {
                ["by run: " | "in the library: ", test, " in ", file, ""] => {
                    Some(Proof { test: (*test).to_owned(), file: (*file).to_owned() })
                }
                ["no proof yet"] => None,
                _ => panic!("{id}: not a proof: {line}"),
            };
            rows.entry(id.clone()).or_default().extend(proof);
        }
    }
    rows
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().and_then(Path::parent).unwrap()
}

#[test]
fn every_proof_is_a_test_that_exists() {
    let rows = page();
    assert!(rows.len() > 100, "the page was not read: {} rows", rows.len());
    for (id, proofs) in &rows {
        for Proof { test, file } in proofs {
            let text =
                std::fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("{id}: {file}: {error}"));
            let start = text.find(&format!("fn {test}(")).unwrap_or_else(|| panic!("{id}: no {test} in {file}"));
            let attribute = text[..start].trim_end().lines().last().unwrap_or_default();
            assert!(attribute.contains("test]") || attribute.contains("cfg("), "{id}: {test} is no test: {attribute}");
        }
    }
}

#[test]
fn what_has_no_proof_is_listed() {
    let without: Vec<String> = page().into_iter().filter(|(_, proofs)| proofs.is_empty()).map(|(id, _)| id).collect();
    let mut listed: Vec<&str> = UNPROVEN.to_vec();
    listed.sort_unstable();
    assert_eq!(without, listed);
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
