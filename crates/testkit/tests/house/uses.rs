//! Paths in Rust code: enough of the language to see which module names which.

use std::sync::LazyLock;

use regex::Regex;

/// The code without comments and without its tests.
pub(crate) fn code(text: &str) -> String {
    let built = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let built = built.split("#[cfg(test)]\n#[allow").next().unwrap_or_default();
    built.lines().filter(|line| !line.trim_start().starts_with("//")).map(|line| format!("{line}\n")).collect()
}

/// All paths that begin with `crate` or `super`, one for each name that an import brings.
pub(crate) fn paths(code: &str) -> Vec<String> {
    static START: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\b(?:crate|super)(?:::\w+)*(::\{)?").unwrap());
    let mut found = Vec::new();
    for path in START.captures_iter(code) {
        let all = path.get(0).unwrap();
        if path.get(1).is_some() {
            let head = all.as_str().trim_end_matches("::{");
            spread(head, &code[all.end()..], &mut found);
        } else {
            found.push(all.as_str().to_owned());
        }
    }
    found
}

/// Adds a path for each entry of a group, whose brace was opened just before `rest`; how many bytes the group has.
fn spread(head: &str, rest: &str, found: &mut Vec<String>) -> usize {
    let (mut entry, mut at) = (String::new(), 0);
    while let Some(letter) = rest[at..].chars().next() {
        at += letter.len_utf8();
        match letter {
            '{' => {
                let inner = format!("{head}::{}", entry.trim().trim_end_matches("::"));
                at += spread(&inner, &rest[at..], found);
                entry.clear();
            }
            ',' | '}' => {
                let name = entry.split_whitespace().next().unwrap_or_default();
                if !name.is_empty() {
                    found.push(format!("{head}::{name}"));
                }
                entry.clear();
                if letter == '}' {
                    return at;
                }
            }
            _ => entry.push(letter),
        }
    }
    at
}

#[test]
fn groups_are_spread_into_their_names() {
    let code =
        "use super::{a::{B, c}, d as e};\nuse crate::engine::f;\nlet x = super::super::g(1);\nuse std::{io, fs};";
    let want = ["super::a::B", "super::a::c", "super::d", "crate::engine::f", "super::super::g"];
    assert_eq!(paths(code), want);
}
