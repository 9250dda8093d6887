//! Words of human language live in the lexicon: no other source file holds a list of them.
//!
//! A list is literals one after the other, or one literal whose entries are between bars or, without any mark, between
//! blanks. It is one of language if more than a few of its entries are words or phrases: lower-case letters, blanks and
//! apostrophes, or Han. Keys, options and paths are not; tables of names that look like words are named below, with the
//! reason.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use regex::Regex;
use toml_edit::DocumentMut;

/// This many words may stand together in code.
const FEW: usize = 12;

/// Where language is at home, and what only tests.
const ELSEWHERE: &[&str] = &["lexicon", "testkit"];

/// Lists of words that are not language, each with the reason.
const OTHER_LISTS: &[(&str, &str)] = &[
    ("cli/src/commands/eval/verdict.rs", "defines a score, which must not move with what the product listens for"),
    ("cli/src/args/synonyms.rs", "names of commands, of this program and of others"),
    ("reader/src/code_words.rs", "names of folders and endings of files"),
    ("search/src/features.rs", "names of numbers"),
    ("search/src/tools.rs", "names of tools"),
    ("memdir/src/engine/recall/evidence/claims.rs", "endings of files"),
    ("context/src/include.rs", "endings of files"),
    ("reader/src/dates/english/names.rs", "months and numbers, which mean something by their order"),
    ("guard/src/shell/list.rs", "reserved words of the shell"),
    ("guard/src/secrets/nearby.rs", "schemes of addresses"),
    ("guard/src/secrets/placeholder.rs", "what stands for a value in code"),
    ("guard/src/secrets/rules/generic.rs", "a pattern"),
    ("guard/src/secrets/rules/login.rs", "names of programs"),
    ("guard/src/secrets/rules/service.rs", "how tokens begin"),
    ("guard/src/markup.rs", "names of tags"),
];

/// The files of the lexicon by language, parsed.
fn lexicon() -> BTreeMap<String, DocumentMut> {
    let folder = super::crates_dir().join("lexicon/lexicon");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files
        .map(|path| {
            let text = std::fs::read_to_string(&path).unwrap();
            (path.file_stem().unwrap().to_str().unwrap().to_owned(), text.parse().unwrap())
        })
        .collect()
}

fn sources(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.push(path);
        }
    }
}

/// The source files of all crates that are not tests, with their code.
fn code() -> Vec<(String, String)> {
    let root = super::crates_dir();
    let mut files = Vec::new();
    for room in std::fs::read_dir(&root).unwrap() {
        sources(&room.unwrap().path().join("src"), &mut files);
    }
    let name = |file: &Path| file.strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/");
    let is_test = |file: &str| file.contains("/tests/") || file.ends_with("/tests.rs");
    let named = files.iter().map(|file| (name(file), file)).filter(|(name, _)| !is_test(name));
    named.map(|(name, file)| (name, crate::uses::code(&std::fs::read_to_string(file).unwrap()))).collect()
}

/// The lists of a source: literals with nothing but commas, bars and brackets between them, and those inside one literal.
fn lists(code: &str) -> Vec<Vec<String>> {
    let literal = Regex::new(r#"(?s)"((?:[^"\\]|\\.)*)""#).unwrap();
    let (mut found, mut list, mut end): (Vec<Vec<String>>, Vec<String>, usize) = (Vec::new(), Vec::new(), 0);
    for hit in literal.captures_iter(code) {
        let (all, text) = (hit.get(0).unwrap(), hit[1].replace("\\\n", " "));
        let goes_on = code[end..all.start()].chars().all(|c| c.is_whitespace() || ",|&()[]".contains(c));
        if !goes_on {
            found.push(std::mem::take(&mut list));
        }
        end = all.end();
        if text.contains('|') {
            found.push(text.split('|').map(|entry| entry.trim().to_owned()).collect());
        } else if !text.contains(|c: char| c.is_ascii_punctuation() && c != '\'' || c.is_uppercase()) {
            found.push(text.split_whitespace().map(str::to_owned).collect());
        }
        list.push(text);
    }
    found.push(list);
    found
}

#[test]
fn lists_of_words_stand_in_the_lexicon_and_nowhere_else() {
    let is_han = |c: char| ('\u{4e00}'..='\u{9fff}').contains(&c);
    let is_latin = |c: char| c.is_lowercase() || matches!(c, ' ' | '\'' | '*' | ',');
    // Endings of files and options are shorter than words, and names in code have marks in them.
    let is_language = |entry: &String| {
        entry.contains(is_han) || (entry.len() <= 40 && entry.trim().len() > 2 && entry.chars().all(is_latin))
    };
    let (mut wrong, mut excused) = (Vec::new(), BTreeSet::new());
    for (file, code) in code() {
        if ELSEWHERE.iter().any(|place| file.starts_with(&format!("{place}/"))) {
            continue;
        }
        for list in lists(&code) {
            let said: BTreeSet<&String> = list.iter().filter(|entry| is_language(entry)).collect();
            if said.len() <= FEW {
                continue;
            }
            match OTHER_LISTS.iter().find(|(name, _)| *name == file) {
                Some((name, _)) => _ = excused.insert(*name),
                None => wrong.push(format!("{file}: {said:?}")),
            }
        }
    }
    assert!(wrong.is_empty(), "move these to crates/lexicon/lexicon:\n{}", wrong.join("\n"));
    let needless: Vec<_> = OTHER_LISTS.iter().filter(|(name, _)| !excused.contains(name)).collect();
    assert!(needless.is_empty(), "nothing to excuse any more: {needless:?}");
}

#[test]
fn a_list_is_seen_in_every_shape() {
    let code = r#"const A: &[&str] = &["one", "two"]; f("x|y|z"); matches!(w, "p" | "q"); g("so many words"); h("A sentence.");"#;
    let long: Vec<Vec<String>> = lists(code).into_iter().filter(|list| list.len() > 1).collect();
    assert_eq!(long, [vec!["one", "two"], vec!["x", "y", "z"], vec!["p", "q"], vec!["so", "many", "words"]]);
}

#[test]
fn every_list_of_the_lexicon_is_asked_by_some_code() {
    let code: String =
        code().into_iter().filter(|(file, _)| !file.starts_with("lexicon/")).map(|(_, code)| code).collect();
    for (lang, file) in lexicon() {
        for (name, _) in file.iter() {
            let asked = Regex::new(&format!(r"lexicon::(?:{lang}::)?{}\b", name.to_uppercase())).unwrap();
            assert!(asked.is_match(&code), "{lang}.toml: nobody asks for {name}");
        }
    }
}
