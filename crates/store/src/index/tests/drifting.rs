//! Index and files that disagree (I6).

use super::*;

const FILES: [&str; 4] = ["a.md", "b.md", "sub/c.md", "d d.md"];

fn known() -> Vec<PointerTarget<'static>> {
    FILES.iter().map(|target| PointerTarget { target, title: "Title", hook: "hook" }).collect()
}

#[test]
fn i6_all_drift_is_found_by_line() {
    let long = "x".repeat(250);
    let raw = format!(
        "# M\n- [A](a.md)\n- [Gone](gone.md)\n* [A](./a.md) — again\n- [A](a.md)\n\
         - [B](b.md) — {long}\n{long}\n[C](sub/c.md) — no bullet\n"
    );
    let found = drift(&index(&raw), &FILES);
    let said: Vec<String> = found.iter().map(|drift| format!("{}: {drift}", drift.id())).collect();
    assert_eq!(
        said,
        [
            "dangling-pointer: line 3 points to gone.md, which does not exist",
            "doubled-pointer: line 5 about a.md is line 2 once more",
            "long-line: line 6 has 264 characters, more than 200",
            "long-line: line 7 has 250 characters, more than 200",
            "missing-pointer: nothing points to d d.md",
        ]
    );
    assert_eq!(found[2].target(), Some("b.md"));
    assert_eq!(found[3].target(), None, "no pointer");
    assert_eq!(drift(&index(""), &["MEMORY.md", "team/MEMORY.md", "../x.md", "note.txt"]), []);
}

#[test]
fn i6_a_file_that_is_named_however_is_not_missing() {
    for line in [
        "[A](a.md) — hook",
        "1. [A](a.md)",
        "- [ ] [A](a.md)",
        "- [A] (a.md) — hook",
        "- [A](a.md — hook",
        "- `a.md`: hook",
        "- [[a]] hook",
        "| [A](a.md) | hook |",
        "see a.md.",
        "- Note: [A](./a.md)",
    ] {
        assert_eq!(drift(&index(line), &["a.md"]), [], "{line}");
        assert_eq!(text(&repair(&index(line), &known()[..1]).index), line);
    }
    for line in ["- [web](https://x.org/a.md)", "banana.md", "a.mdx", "sub/a.md", "[[ab]]", "äa.md"] {
        assert_eq!(drift(&index(line), &["a.md"]), [Drift::Orphan { target: "a.md".into() }], "{line}");
    }
}

#[test]
fn i6_repair_mends_links_and_leaves_every_word_and_every_other_line() {
    let long = "word ".repeat(60);
    let raw = format!(
        "\u{feff}# M\r\n\r\n- [Gone](gone.md) — old\r\n  * [A](a.md) — {long}\r\n\
         + [Moved](old/c.md \"remark\"): mine\r\n- [A](a.md) — again\r\n1. [B](b.md) — mine\r\n- [A](a.md) — again"
    );
    let made = repair(&index(&raw), &known());
    let expected = raw
        .replace("- [Gone](gone.md) — old", "- Gone (gone.md) — old")
        .replace("(old/c.md \"", "(sub/c.md \"")
        .replace("1. [B](b.md) — mine\r\n- [A](a.md) — again", "1. [B](b.md) — mine\r\n- [Title](d%20d.md) — hook");
    assert_eq!(text(&made.index), expected);
    let removed: Vec<(usize, &str)> = made.removed.iter().map(|line| (line.line, line.text.as_str())).collect();
    assert_eq!(removed, [(8, "- [A](a.md) — again")]);
    let left = drift(&made.index, &FILES);
    assert!(left.iter().all(|drift| matches!(drift, Drift::LongLine { .. })), "{left:?}");
    let again = repair(&made.index, &known());
    assert_eq!(again.index, made.index);
    assert!(again.removed.is_empty());
}

#[test]
fn i6_a_name_that_two_files_have_is_not_guessed() {
    let files = ["x/a.md", "y/a.md"].map(|target| PointerTarget { target, title: "T", hook: "" });
    let made = repair(&index("- [A](a.md) — both\n- [X](x/a.md)\n- [Y](y/a.md)\n"), &files);
    assert_eq!(text(&made.index), "- A (a.md) — both\n- [X](x/a.md)\n- [Y](y/a.md)\n");
}

#[test]
fn i6_a_sound_index_is_not_touched() {
    for raw in ["- [A](a.md)\n\n# Notes\r\nmine", "* [A](./a.md): x\n\n\n", "- [A](a.md) — \u{202e}bidi  two spaces"]
    {
        let files = [PointerTarget { target: "a.md", title: "T", hook: "h" }];
        assert_eq!(text(&repair(&index(raw), &files).index), raw);
    }
}

#[test]
fn i6_a_file_name_too_long_for_a_line_is_no_drift_that_never_ends() {
    for length in [185, 190, 200, 252] {
        let name = format!("{}.md", "n".repeat(length));
        let files = [PointerTarget { target: &name, title: "Title", hook: "hook" }];
        let raw = format!("- [A long title of its own]({name}) — {}\n", "hook ".repeat(30));
        for raw in [raw.as_str(), ""] {
            let made = repair(&index(raw), &files);
            let left = drift(&made.index, &[&name]);
            assert!(left.iter().all(|drift| matches!(drift, Drift::LongLine { .. })), "{raw}: {left:?}");
            assert_eq!(repair(&made.index, &files).index, made.index);
        }
    }
}
