//! The front of the library: `Memory` opens and hands out handles, and each verb stands on the handle of its room.

use std::path::PathBuf;

use regex::Regex;

use crate::uses;

/// The handles, by the method of `Memory` that gives each out.
const HANDLES: &[(&str, &str)] = &[
    ("dream", "Dreaming"),
    ("files", "Files"),
    ("history", "History"),
    ("inbox", "Inbox"),
    ("jobs", "Jobs"),
    ("learn", "Learning"),
    ("models", "Models"),
    ("recall", "Recall"),
    ("sessions", "Sessions"),
    ("teams", "Sharing"),
];

/// How many public methods `Memory` has beside its handles: opening it, where it is, what is on. A new verb goes to a handle.
const OWN: usize = 11;

/// The built code of the library.
fn library() -> Vec<String> {
    let (mut open, mut found): (Vec<PathBuf>, Vec<String>) = (vec![crate::crates_dir().join("memdir/src")], Vec::new());
    while let Some(dir) = open.pop() {
        for path in std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(uses::code(&std::fs::read_to_string(path).unwrap()));
            }
        }
    }
    found
}

/// The public methods of a type, with what follows their names.
fn public_methods(of: &str) -> Vec<(String, String)> {
    let head = Regex::new(&format!(r"(?m)^impl(?:<'\w+>)? (?:\w+::)*{of}(?:<'\w+>)? \{{\n")).unwrap();
    let method = Regex::new(r"(?m)^    pub (?:const |async )?fn (\w+)([^\n]*)").unwrap();
    let mut found = Vec::new();
    for code in library() {
        for start in head.find_iter(&code) {
            let body = code[start.end()..].split("\n}\n").next().unwrap_or_default();
            found.extend(method.captures_iter(body).map(|one| (one[1].to_owned(), one[2].to_owned())));
        }
    }
    found.sort();
    found
}

#[test]
fn memory_gives_out_every_handle_and_each_has_verbs() {
    let given = public_methods("Memory");
    for (name, handle) in HANDLES {
        let wanted = format!("(&self) -> {handle}<'_> {{");
        assert!(given.iter().any(|(method, rest)| method == name && *rest == wanted), "memory.{name}(): {given:?}");
        assert!(public_methods(handle).len() > 1, "{handle} can do nothing");
    }
}

#[test]
fn memory_itself_has_few_public_methods() {
    let own: Vec<_> = public_methods("Memory")
        .into_iter()
        .map(|(name, _)| name)
        .filter(|name| HANDLES.iter().all(|(handle, _)| handle != name))
        .collect();
    assert!(own.contains(&"open".to_owned()), "Memory is somewhere else: {own:?}");
    assert!(own.len() <= OWN, "a verb belongs to the handle of its room: {own:?}");
}
