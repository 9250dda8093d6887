//! Every behaviour that this version promises is named by a test: in the name of a test function
//! (two of them where a test covers two), or in a comment among the tests.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The behaviours this version has. A new one is added here first; then this fails until a test
/// names it.
const BEHAVIOURS: &[&str] = &[
    "P1", "P2", "P3", "P4", "P5", "P6", "P7", "P8", "P9", "P10", "E1", "E2", "E3", "E4", "E5", "E6", "F1", "F2", "F3",
    "F4", "F5", "F6", "F7", "I1", "I2", "I3", "I4", "I5", "I6", "M1", "M2", "M3", "M4", "M5", "M6", "A1", "A2", "A3",
    "C1", "C2", "C3", "Q1", "Q2", "G1", "G2", "G3", "Z1", "Z2", "Z3", "Z4", "L1", "L1b", "L2", "L3", "T1", "T2", "T3",
    "T4", "R1", "R2", "R3", "R4", "R5", "R6", "R7", "R8", "R9", "R10", "R11", "X1", "X2", "X3", "X4", "X5", "X6", "X7",
    "X8", "X9", "D1", "D2", "D3", "D4", "D5", "D6", "S1", "S2", "S3", "S4", "S5", "S6", "S7",
];

#[test]
fn every_behaviour_is_named_by_a_test() {
    let named = named_behaviours();
    let missing: Vec<&str> = BEHAVIOURS.iter().copied().filter(|id| !named.contains_key(&id.to_lowercase())).collect();
    assert!(missing.is_empty(), "no test names {}", missing.join(", "));
}

/// The behaviours that tests name, each with the first file that does.
fn named_behaviours() -> BTreeMap<String, PathBuf> {
    let mut named = BTreeMap::new();
    for (path, text) in super::sources() {
        if path.ends_with("it/coverage.rs") {
            continue;
        }
        for line in tests_of(&path, &text).lines() {
            for id in ids(line) {
                named.entry(id).or_insert_with(|| path.clone());
            }
        }
    }
    named
}

/// The part of a file that is tests: all of a test file, else what follows `#[cfg(test)]`.
fn tests_of<'t>(path: &Path, text: &'t str) -> &'t str {
    let is_test = path.components().any(|part| part.as_os_str() == "tests")
        || path.ends_with("tests.rs")
        || path.ends_with("faults.rs");
    match text.find("#[cfg(test)]\nmod tests {").or_else(|| text.find("#[cfg(test)]\n#[allow")) {
        _ if is_test => text,
        Some(start) => &text[start..],
        None => "",
    }
}

/// The ids that a line names, in lower case.
fn ids(line: &str) -> Vec<String> {
    let line = line.trim();
    // A file's own introduction says what it is about, not what it tests.
    if line.starts_with("//!") {
        return Vec::new();
    }
    if let Some(name) = line.strip_prefix("fn ").and_then(|rest| rest.split(['(', '<']).next()) {
        return name.split('_').take_while(|word| is_id(word)).map(str::to_owned).collect();
    }
    let Some((_, comment)) = line.split_once("//") else { return Vec::new() };
    let words = comment.split(|letter: char| !letter.is_ascii_alphanumeric());
    words
        .filter(|word| word.starts_with(|letter: char| letter.is_ascii_uppercase()))
        .map(str::to_lowercase)
        .filter(|word| is_id(word))
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
        ("fn x86_64() {", vec!["x86"]),
        ("// I1 and (F3): kept", vec!["i1", "f3"]),
        ("assert!(true); // T2", vec!["t2"]),
        ("//! About P1.", vec![]),
        ("let p1 = \"P2\";", vec![]),
        ("// see p1, UTF8, A, 9", vec![]),
    ] {
        assert_eq!(ids(line), want, "{line}");
    }
}
