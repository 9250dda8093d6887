//! The memory tool as its documentation describes it, and as an attacker would use it.

#![allow(clippy::disallowed_methods, reason = "tests set up their own files")]

use proptest::prelude::*;
use serde_json::{Value, json};

use super::text::{inserted, numbered, replaced};
use crate::engine::test_memory::{TestMemory, topic};

fn run(bench: &TestMemory, input: Value) -> Result<String, String> {
    bench.memory().files().memory_tool(&input).map_err(|error| error.0)
}

fn view(bench: &TestMemory, path: &str) -> Result<String, String> {
    run(bench, json!({ "command": "view", "path": path }))
}

#[test]
fn the_documented_story_from_an_empty_directory() {
    let bench = TestMemory::new();
    let create = json!({ "command": "create", "path": "/memories/notes.txt", "file_text": "one\ntwo\nthree\n" });
    let steps = [
        (
            json!({ "command": "view", "path": "/memories" }),
            Ok(
                "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items and node_modules:\n0B\t/memories",
            ),
        ),
        (create.clone(), Ok("File created successfully at: /memories/notes.txt")),
        (create, Err("Error: File /memories/notes.txt already exists")),
        (
            json!({ "command": "view", "path": "/memories/notes.txt" }),
            Ok("Here's the content of /memories/notes.txt with line numbers:\n     1\tone\n     2\ttwo\n     3\tthree"),
        ),
        (
            json!({ "command": "view", "path": "/memories/notes.txt", "view_range": [2, -1] }),
            Ok("Here's the content of /memories/notes.txt with line numbers:\n     2\ttwo\n     3\tthree"),
        ),
        (
            json!({ "command": "str_replace", "path": "/memories/notes.txt", "old_str": "two", "new_str": "TWO" }),
            Ok(
                "The memory file has been edited. Here is the part that changed, with line numbers:\n     1\tone\n     2\tTWO\n     3\tthree",
            ),
        ),
        (
            json!({ "command": "insert", "path": "/memories/notes.txt", "insert_line": 1, "insert_text": "half\n" }),
            Ok("The file /memories/notes.txt has been edited."),
        ),
        (
            json!({ "command": "rename", "old_path": "/memories/notes.txt", "new_path": "/memories/old/final.txt" }),
            Ok("Successfully renamed /memories/notes.txt to /memories/old/final.txt"),
        ),
        (
            json!({ "command": "view", "path": "/memories" }),
            Ok(
                "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items and node_modules:\n19B\t/memories\n19B\t/memories/old/\n19B\t/memories/old/final.txt",
            ),
        ),
        (json!({ "command": "delete", "path": "/memories/old" }), Ok("Successfully deleted /memories/old")),
        (
            json!({ "command": "view", "path": "/memories/old/final.txt" }),
            Err("The path /memories/old/final.txt does not exist. Please provide a valid path."),
        ),
    ];
    for (input, wanted) in steps {
        let got = run(&bench, input.clone());
        assert_eq!(got.as_deref().map_err(String::as_str), wanted, "{input}");
    }
}

#[test]
fn errors_are_the_documented_ones() {
    let bench = TestMemory::with(&[("a.md", "same\nother\nsame\n"), ("b.md", "b\n")]);
    for (input, wanted) in [
        (
            json!({ "command": "view", "path": "/memories/no.md" }),
            "The path /memories/no.md does not exist. Please provide a valid path.",
        ),
        (
            json!({ "command": "str_replace", "path": "/memories/no.md", "old_str": "a", "new_str": "b" }),
            "Error: The path /memories/no.md does not exist. Please provide a valid path.",
        ),
        (
            json!({ "command": "str_replace", "path": "/memories/a.md", "old_str": "gone", "new_str": "b" }),
            "No replacement was performed, old_str `gone` did not appear verbatim in /memories/a.md.",
        ),
        (
            json!({ "command": "str_replace", "path": "/memories/a.md", "old_str": "", "new_str": "b" }),
            "No replacement was performed, old_str `` did not appear verbatim in /memories/a.md.",
        ),
        (
            json!({ "command": "str_replace", "path": "/memories/a.md", "old_str": "same", "new_str": "b" }),
            "No replacement was performed. Multiple occurrences of old_str `same` in lines: 1, 3. Please ensure it is unique",
        ),
        (
            json!({ "command": "insert", "path": "/memories/no.md", "insert_line": 0, "insert_text": "x" }),
            "Error: The path /memories/no.md does not exist",
        ),
        (
            json!({ "command": "insert", "path": "/memories/a.md", "insert_line": 4, "insert_text": "x" }),
            "Error: Invalid `insert_line` parameter: 4. It should be within the range of lines of the file: [0, 3]",
        ),
        (
            json!({ "command": "insert", "path": "/memories/a.md", "insert_line": -1, "insert_text": "x" }),
            "Error: Invalid `insert_line` parameter: -1. It should be within the range of lines of the file: [0, 3]",
        ),
        (json!({ "command": "delete", "path": "/memories/no.md" }), "Error: The path /memories/no.md does not exist"),
        (json!({ "command": "delete", "path": "/memories" }), "Error: Cannot delete the /memories directory itself"),
        (
            json!({ "command": "rename", "old_path": "/memories/no.md", "new_path": "/memories/c.md" }),
            "Error: The path /memories/no.md does not exist",
        ),
        (
            json!({ "command": "rename", "old_path": "/memories/a.md", "new_path": "/memories/b.md" }),
            "Error: The destination /memories/b.md already exists",
        ),
        (
            json!({ "command": "view", "path": "/memories/a.md", "view_range": [4, 5] }),
            "Error: Invalid `view_range` parameter: [4, 5]. It should be within the range of lines of the file: [1, 3]",
        ),
    ] {
        assert_eq!(run(&bench, input.clone()), Err(wanted.to_owned()), "{input}");
    }
    for odd in [
        json!({}),
        json!({ "command": "fly" }),
        json!({ "command": "view" }),
        json!([]),
        json!({ "command": "create", "path": "/memories/x" }),
    ] {
        assert!(run(&bench, odd.clone()).unwrap_err().starts_with("Error: The input does not fit"), "{odd}");
    }
}

#[test]
fn p8_no_path_leaves_the_directory() {
    let bench = TestMemory::with(&[("a.md", "a\n")]);
    let outside = bench.home().join("outside.md");
    let before = bench.bytes();
    for path in [
        "",
        "/",
        "/etc/passwd",
        "memories/a.md",
        "/memoriesx/a.md",
        "/memories/..",
        "/memories/../outside.md",
        "/memories/../../outside.md",
        "/memories/x/../../../outside.md",
        "/memories/./a.md",
        "/memories//etc/passwd",
        "/memories/..\\..\\outside.md",
        "/memories/%2e%2e/outside.md",
        "/memories/%2E%2E%2Foutside.md",
        "/memories/a\0.md",
        "/memories/.hidden.md",
        "/memories/.git/config",
        "/memories/a\nb.md",
        "/memories/\u{2025}/x.md",
        "/memories/..\u{2215}x.md",
        "/MEMORIES/a.md",
    ] {
        for input in [
            json!({ "command": "view", "path": path }),
            json!({ "command": "create", "path": path, "file_text": "x" }),
            json!({ "command": "str_replace", "path": path, "old_str": "a", "new_str": "x" }),
            json!({ "command": "insert", "path": path, "insert_line": 0, "insert_text": "x" }),
            json!({ "command": "delete", "path": path }),
            json!({ "command": "rename", "old_path": "/memories/a.md", "new_path": path }),
            json!({ "command": "rename", "old_path": path, "new_path": "/memories/taken.md" }),
        ] {
            assert!(run(&bench, input.clone()).is_err(), "{input}");
        }
    }
    assert_eq!(bench.bytes(), before);
    assert!(!outside.exists());
}

#[test]
fn p8_links_are_not_followed() {
    let bench = TestMemory::with(&[("a.md", "a\n")]);
    let secret = bench.home().join("secret.md");
    std::fs::write(&secret, "outside\n").unwrap();
    memdir_testkit::link(&secret, bench.dir().join("link.md")).unwrap();
    memdir_testkit::link(bench.home(), bench.dir().join("folder")).unwrap();
    for path in ["/memories/link.md", "/memories/folder/secret.md", "/memories/folder"] {
        assert!(view(&bench, path).is_err(), "{path}");
        assert!(run(&bench, json!({ "command": "delete", "path": path })).is_err(), "{path}");
        assert!(run(&bench, json!({ "command": "create", "path": path, "file_text": "x" })).is_err(), "{path}");
    }
    assert!(!view(&bench, "/memories").unwrap().contains("link"));
    assert_eq!(std::fs::read_to_string(secret).unwrap(), "outside\n");
}

#[test]
fn changes_are_in_the_history_and_can_be_undone() {
    let bench = TestMemory::with(&[("a.md", &topic("project", "A", "first"))]);
    let start = bench.bytes();
    run(&bench, json!({ "command": "create", "path": "/memories/b.md", "file_text": topic("project", "B", "second") }))
        .unwrap();
    run(&bench, json!({ "command": "rename", "old_path": "/memories/a.md", "new_path": "/memories/c.md" })).unwrap();
    run(&bench, json!({ "command": "delete", "path": "/memories/b.md" })).unwrap();
    assert!(bench.read("MEMORY.md").contains("(c.md)") && !bench.read("MEMORY.md").contains("(b.md)"));
    let memory = bench.memory();
    let events = memory.history().events(None, 3).unwrap();
    let reasons: Vec<&str> = events.iter().map(|event| event.reason.as_str()).collect();
    assert_eq!(reasons, ["memory tool: delete", "memory tool: rename", "memory tool: create"]);
    for event in &events {
        memory.history().undo(Some(&event.id)).unwrap();
    }
    assert_eq!(bench.read("a.md").into_bytes(), start["a.md"]);
    assert!(bench.read("MEMORY.md").contains("(a.md)") && !bench.dir().join("c.md").exists());
}

#[test]
fn secrets_pins_and_the_index_are_guarded() {
    let pinned = "---\nname: P\ndescription: p\ntype: user\npinned: true\n---\n\nkeep\n";
    let bench = TestMemory::with(&[("p.md", pinned), ("d/p.md", pinned), ("a.md", "a\n")]);
    let before = bench.bytes();
    for (input, words) in [
        (json!({ "command": "create", "path": "/memories/k.md", "file_text": "AKIAQ3EGRVVB5OZJ3XWT" }), "secret"),
        (
            json!({ "command": "insert", "path": "/memories/a.md", "insert_line": 1, "insert_text": "AKIAQ3EGRVVB5OZJ3XWT" }),
            "secret",
        ),
        (json!({ "command": "str_replace", "path": "/memories/p.md", "old_str": "keep", "new_str": "x" }), "pinned"),
        (json!({ "command": "insert", "path": "/memories/p.md", "insert_line": 0, "insert_text": "x" }), "pinned"),
        (json!({ "command": "delete", "path": "/memories/p.md" }), "pinned"),
        (json!({ "command": "delete", "path": "/memories/d" }), "pinned"),
        (json!({ "command": "rename", "old_path": "/memories/p.md", "new_path": "/memories/q.md" }), "pinned"),
        (json!({ "command": "delete", "path": "/memories/MEMORY.md" }), "index"),
        (json!({ "command": "insert", "path": "/memories/MEMORY.md", "insert_line": 0, "insert_text": "x" }), "index"),
        (json!({ "command": "create", "path": "/memories/team/memory.md", "file_text": "x" }), "index"),
    ] {
        let error = run(&bench, input.clone()).unwrap_err();
        assert!(error.starts_with("Error:") && error.contains(words), "{input}: {error}");
    }
    assert_eq!(bench.bytes(), before);
    assert!(view(&bench, "/memories/MEMORY.md").unwrap().contains("(a.md)"));
}

#[test]
fn e5_nothing_is_done_while_memory_is_off() {
    let bench = TestMemory::with(&[("a.md", "a\n")]).set("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "1");
    assert!(view(&bench, "/memories").unwrap_err().contains("memory is off"));
}

proptest! {
    #[test]
    fn inserted_lines_stand_where_they_should(lines in prop::collection::vec("[a-z]{0,5}", 0..6), at in 0usize..8, end in any::<bool>()) {
        let mut content = lines.join("\n");
        if end && !content.is_empty() { content.push('\n'); }
        let count = content.split_inclusive('\n').count();
        match inserted(&content, at as i64, "NEW\n") {
            Ok(text) => {
                prop_assert!(at <= count);
                let mut wanted: Vec<&str> = content.lines().collect();
                wanted.insert(at, "NEW");
                prop_assert_eq!(text.lines().collect::<Vec<_>>(), wanted);
            }
            Err(_) => prop_assert!(at > count),
        }
    }

    #[test]
    fn views_and_replacements_never_panic(content in "\\PC{0,40}(\n\\PC{0,20}){0,3}", old in "\\PC{0,3}", first in -3i64..9, last in -3i64..9) {
        let _ = numbered(&content, Some((first, last)));
        if let Ok(text) = replaced(&content, &old, "\u{1}", "/memories/x") {
            prop_assert_eq!(text.replace('\u{1}', &old), content);
        }
    }
}
