//! Arrows between the rooms of the verbs (`memdir::engine`), from their sources.
//!
//! An arrow is a path from one room into another (also to a type that the front door re-exports), or a method of `Memory` or of one
//! of its handles that one room calls and another defines.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;

use crate::uses;

/// The rooms from the ground up: each may know those that come before it.
const ORDER: &[&str] = &[
    "hint",
    "error",
    "handles",
    "gate",
    "identity",
    "stores",
    "memory_ref",
    "titles",
    "team",
    "listing",
    "naming",
    "named_in_team",
    "outside_memory",
    "session",
    "ledger",
    "metered",
    "model_access",
    "daily",
    "duplicate_candidates",
    "find_duplicate",
    "adopt",
    "projects",
    "uses",
    "ratings",
    "recall",
    "pointer",
    "stale",
    "judge",
    "nearby",
    "proposal",
    "inbox",
    "question",
    "session_cache",
    "remember",
    "agent_memory",
    "memory_tool",
    "extract",
    "agent_guard",
    "fork",
    "agent_edit",
    "agent_run",
    "learn",
    "transcripts",
    "announcement",
    "job",
    "blame",
    "timeline",
    "remember_all",
    "forget",
    "lookup",
    "dream",
    "doctor",
    "status",
    "notes",
    "hook",
    "import",
    "edit",
    "opened",
    "overview",
    "told",
];

/// One source file: the modules it is in below `engine`, and its code.
struct Source {
    modules: Vec<String>,
    code: String,
}

impl Source {
    fn room(&self) -> &str {
        &self.modules[0]
    }

    /// The bodies of its `impl Memory` and of its `impl` of handles, each with the name of the type.
    fn facade<'s>(&'s self, handles: &BTreeMap<String, String>) -> Vec<(&'s str, &'s str)> {
        static HEAD: LazyLock<Regex> =
            LazyLock::new(|| Regex::new(r"(?m)^impl(?:<'\w+>)? (\w+)(?:<'\w+>)? \{\n").unwrap());
        let ours = |name: &str| name == "Memory" || handles.values().any(|handle| handle == name);
        let body = |at: usize| self.code[at..].split("\n}\n").next().unwrap_or_default();
        HEAD.captures_iter(&self.code)
            .map(|found| (found.get(1).unwrap().as_str(), body(found.get(0).unwrap().end())))
            .filter(|(name, _)| ours(name))
            .collect()
    }
}

fn engine() -> std::path::PathBuf {
    crate::crates_dir().join("memdir/src/engine")
}

/// What is built of the rooms, without their tests.
fn sources() -> Vec<Source> {
    let (root, mut open, mut found) = (engine(), vec![engine()], Vec::new());
    while let Some(dir) = open.pop() {
        for path in std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let modules = modules(path.strip_prefix(&root).unwrap());
                let for_tests =
                    modules.iter().any(|name| ["tests", "test_memory", "race_tests"].contains(&name.as_str()));
                if !modules.is_empty() && !for_tests {
                    found.push(Source { modules, code: uses::code(&std::fs::read_to_string(&path).unwrap()) });
                }
            }
        }
    }
    assert!(found.len() > 100, "the rooms are somewhere else");
    found
}

/// `dream/gate.rs` is the module `dream::gate`, `dream/mod.rs` is `dream`.
fn modules(file: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        file.with_extension("").iter().map(|part| part.to_string_lossy().into_owned()).collect();
    if names.last().is_some_and(|name| name == "mod") {
        names.pop();
    }
    names
}

/// Which room a name of the front door comes from: a room by its own name, a type by where it is re-exported from.
fn front_door() -> BTreeMap<String, String> {
    let code = uses::code(&std::fs::read_to_string(engine().join("mod.rs")).unwrap());
    let mut names = BTreeMap::new();
    for room in Regex::new(r"(?m)^(?:pub )?mod (\w+);").unwrap().captures_iter(&code) {
        names.insert(room[1].to_owned(), room[1].to_owned());
    }
    let word = Regex::new(r"\w+").unwrap();
    for group in Regex::new(r"use (\w+)::(\{[^}]*\}|\w+)").unwrap().captures_iter(&code) {
        if names.contains_key(&group[1]) {
            for name in word.find_iter(&group[2]) {
                names.insert(name.as_str().to_owned(), group[1].to_owned());
            }
        }
    }
    names
}

/// Where a path leads, seen from `engine`; nothing for one that leaves it.
fn below_engine(path: &str, from: &[String]) -> Option<String> {
    let mut parts = path.split("::").peekable();
    if parts.next_if_eq(&"crate").is_some() {
        return parts.next_if_eq(&"engine").and_then(|_| parts.next()).map(str::to_owned);
    }
    let mut at = from;
    while parts.next_if_eq(&"super").is_some() {
        at = at.split_last()?.1;
    }
    at.first().cloned().or_else(|| parts.next().map(str::to_owned))
}

/// The handles that `Memory` gives out: the type by the name of the method.
fn handles(sources: &[Source]) -> BTreeMap<String, String> {
    let given = Regex::new(r"pub fn (\w+)\(&self\) -> (\w+)<'_> \{\n        (\w+) \{ memory: self \}").unwrap();
    let all = sources.iter().flat_map(|source| given.captures_iter(&source.code));
    all.map(|found| (found[1].to_owned(), found[2].to_owned())).collect()
}

fn arrows() -> BTreeSet<(String, String)> {
    let (sources, names) = (sources(), front_door());
    let handles = handles(&sources);
    let defined = Regex::new(r"(?m)^    (?:pub(?:\([^)]*\))? )?(?:const )?fn (\w+)").unwrap();
    let own = Regex::new(r"\bself\s*\.(\w+)\(").unwrap();
    let of_memory = Regex::new(r"\bmemory\s*\.(\w+)\(").unwrap();
    let of_handle = Regex::new(r"\.(\w+)\(\)\s*\.(\w+)\(").unwrap();
    let mut methods: BTreeMap<(&str, &str), BTreeSet<&str>> = BTreeMap::new();
    for source in &sources {
        for (of, body) in source.facade(&handles) {
            for name in defined.captures_iter(body) {
                methods.entry((of, name.get(1).unwrap().as_str())).or_default().insert(source.room());
            }
        }
    }
    let mut found = BTreeSet::new();
    for source in &sources {
        let mut to = |room: &str| {
            if room != source.room() {
                found.insert((source.room().to_owned(), room.to_owned()));
            }
        };
        for path in uses::paths(&source.code) {
            if let Some(room) = below_engine(&path, &source.modules).and_then(|name| names.get(&name)) {
                to(room);
            }
        }
        let mut call = |of: &str, name: &str| methods.get(&(of, name)).into_iter().flatten().for_each(|room| to(room));
        for (of, body) in source.facade(&handles) {
            own.captures_iter(body).for_each(|found| call(of, &found[1]));
        }
        of_memory.captures_iter(&source.code).for_each(|found| call("Memory", &found[1]));
        for found in of_handle.captures_iter(&source.code) {
            if let Some(handle) = handles.get(&found[1]) {
                call(handle, &found[2]);
            }
        }
    }
    found
}

#[test]
fn every_room_has_its_place() {
    let mut known: Vec<_> = ORDER.iter().map(|room| (*room).to_owned()).collect();
    known.sort();
    let rooms: BTreeSet<_> = sources().iter().map(|source| source.room().to_owned()).collect();
    assert_eq!(known, Vec::from_iter(rooms));
}

#[test]
fn rooms_know_only_those_below_them() {
    let place = |room: &str| ORDER.iter().position(|known| *known == room);
    let arrows = arrows();
    assert!(arrows.len() > 100, "{arrows:?}");
    let up: Vec<_> = arrows.iter().filter(|(from, to)| place(from) < place(to)).collect();
    assert!(up.is_empty(), "arrows that go up: {up:?}");
}
