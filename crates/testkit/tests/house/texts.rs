//! What the library says: its words name neither a command nor a flag, and its errors are types.
//!
//! A program that embeds the library, or a page, has no command line; the command line turns hints into commands itself.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use regex::Regex;

use crate::uses;

/// Texts that may name a command, since they are written for an agent that has the command line, or into files for one.
const FOR_AGENTS: &[&str] = &["context/src", "hosts/src/install/block.rs"];

/// What begins the signed part of an entry of a bucket; a format, and no command.
const SIGNED: &str = "memdir team entry 1";

/// The built sources of every crate but the command line and what only tests use.
fn libraries() -> Vec<(PathBuf, String)> {
    let root = crate::crates_dir();
    let crates = std::fs::read_dir(&root).unwrap().map(|entry| entry.unwrap().path());
    let mut open: Vec<PathBuf> = crates
        .filter(|dir| !["cli", "testkit"].iter().any(|other| dir.ends_with(other)))
        .map(|dir| dir.join("src"))
        .filter(|dir| dir.is_dir())
        .collect();
    let mut found = Vec::new();
    while let Some(dir) = open.pop() {
        for path in std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()) {
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            if name == "tests" || name == "test_memory" {
                continue;
            }
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let code = uses::code(&std::fs::read_to_string(&path).unwrap());
                found.push((path.strip_prefix(&root).unwrap().to_path_buf(), code));
            }
        }
    }
    assert!(found.len() > 300, "the libraries are somewhere else");
    found
}

/// The commands, from their reference.
fn commands() -> BTreeSet<String> {
    let page = crate::crates_dir().parent().unwrap().join("docs/reference.md");
    let page = std::fs::read_to_string(page).unwrap();
    let headings = page.lines().filter_map(|line| line.strip_prefix("### memdir "));
    let found: BTreeSet<String> =
        headings.filter_map(|rest| rest.split_whitespace().next()).map(str::to_owned).collect();
    assert!(found.contains("list") && found.len() > 20, "{found:?}");
    found
}

/// The flags, from the reference of commands.
fn flags() -> BTreeSet<String> {
    let page = crate::crates_dir().parent().unwrap().join("docs/reference.md");
    let page = std::fs::read_to_string(page).unwrap();
    let flag = Regex::new(r"--[a-z][a-z-]+").unwrap();
    let found: BTreeSet<String> = flag.find_iter(&page).map(|flag| flag.as_str().to_owned()).collect();
    assert!(found.contains("--scope") && found.len() > 20, "{found:?}");
    found
}

/// What begins a patch; no flag of ours.
const GIT_DIFF: &str = "diff --git ";

/// Rules that decide where memory is and whether it is on: which flag decided is what they say.
const NAME_THE_FLAG: &[&str] = &["store/src/place/enabled/mod.rs", "store/src/place/rule.rs"];

#[test]
fn the_library_names_no_flag() {
    let flags = flags();
    let named = Regex::new(r"--[a-z][a-z-]+").unwrap();
    let may = |path: &Path| FOR_AGENTS.iter().chain(NAME_THE_FLAG).any(|there| path.starts_with(there));
    let mut found = Vec::new();
    for (path, code) in libraries().into_iter().filter(|(path, _)| !may(path)) {
        // A pattern of a secret is not a sentence: it names the flags of other programs.
        for text in literals(&code).into_iter().filter(|text| text.contains(' ') && !text.contains(['[', '<', '\\'])) {
            let names_one = named.find_iter(&text).any(|flag| flags.contains(flag.as_str()));
            let names_one = names_one && text != GIT_DIFF;
            if names_one || text.to_lowercase().contains("the command again") {
                found.push(format!("{}: {text}", path.display()));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// The string literals of a source, with line breaks inside them as one space.
fn literals(code: &str) -> Vec<String> {
    static LITERAL: LazyLock<Regex> = LazyLock::new(|| Regex::new(r##"(?s)r#"(.*?)"#|"((?:[^"\\]|\\.)*)""##).unwrap());
    static SPACES: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\s*\\?\s+").unwrap());
    // A quote in a character literal opens no text.
    let code = code.replace("'\"'", "' '").replace("'\\\"'", "' '");
    LITERAL
        .captures_iter(&code)
        .filter_map(|found| found.get(1).or_else(|| found.get(2)))
        .map(|text| SPACES.replace_all(text.as_str(), " ").into_owned())
        .collect()
}

#[test]
fn the_library_names_no_command() {
    let commands = commands();
    let named = Regex::new(r"\bmemdir ([a-z]+)\b").unwrap();
    let is_for_agents = |path: &Path| FOR_AGENTS.iter().any(|there| path.starts_with(there));
    let mut found = Vec::new();
    for (path, code) in libraries() {
        for text in literals(&code).into_iter().filter(|_| !is_for_agents(&path)) {
            let names_one = named.captures_iter(&text).any(|word| commands.contains(&word[1]));
            if (names_one || text.contains("`memdir")) && text != SIGNED {
                found.push(format!("{}: {text}", path.display()));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// Whether a signature returns a `Result` whose error is a `String`, at any depth.
fn fails_with_text(signature: &str) -> bool {
    let Some((_, returned)) = signature.split_once("->") else { return false };
    returned.split("Result<").skip(1).any(|rest| {
        let (mut depth, mut last) = (1, 0);
        for (at, letter) in rest.char_indices() {
            match letter {
                '<' | '(' | '[' => depth += 1,
                '>' | ')' | ']' => depth -= 1,
                ',' if depth == 1 => last = at + 1,
                _ => {}
            }
            if depth == 0 {
                return last > 0 && rest[last..at].trim() == "String";
            }
        }
        false
    })
}

#[test]
fn no_public_signature_fails_with_bare_text() {
    let public = Regex::new(r"(?m)^ *pub (?:const |async )?fn \w+[^{;]*").unwrap();
    let of_trait = Regex::new(r"(?m)^    fn \w+[^{;]*").unwrap();
    let mut found = Vec::new();
    for (path, code) in libraries() {
        let traits = code.split("\npub trait ").skip(1).filter_map(|rest| rest.split("\n}\n").next());
        let of_traits = traits.flat_map(|body| of_trait.find_iter(body));
        for one in public.find_iter(&code).chain(of_traits).filter(|one| fails_with_text(one.as_str())) {
            found.push(format!("{}: {}", path.display(), one.as_str().trim()));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn bare_text_is_seen_in_a_signature() {
    let cases = [
        ("fn f(&self) -> Result<(), String>", true),
        ("fn f() -> Result<Vec<Result<u8, String>>, Broken>", true),
        ("fn f() -> Result<BTreeMap<String, String>, Broken>", false),
        ("fn f(given: Result<(), String>) -> Result<String, Broken>", false),
    ];
    for (signature, expected) in cases {
        assert_eq!(fails_with_text(signature), expected, "{signature}");
    }
}

#[test]
fn literals_are_found_in_code() {
    let code = "let a = \"one \\\n   two\"; let b = '\"'; f(\"it is \\\"so\\\"\");";
    assert_eq!(literals(code), ["one two", "it is \\\"so\\\""]);
}
