//! Index and files that disagree (I6).

use super::*;
use crate::limits;

const FILES: [&str; 4] = ["a.md", "b.md", "sub/c.md", "d d.md"];

fn known() -> Vec<Known<'static>> {
    FILES.iter().map(|target| Known { target, title: "Title", hook: "hook" }).collect()
}

#[test]
fn i6_all_drift_is_found_by_line() {
    let long = "x".repeat(250);
    let raw = format!(
        "# M\n- [A](a.md)\n- [Gone](gone.md)\n* [A](./a.md) — again\n\
         - [B](b.md) — {long}\n{long}\n[C](sub/c.md) — no bullet\n"
    );
    let found = drift(&index(&raw), &FILES);
    let said: Vec<String> = found.iter().map(|drift| format!("{}: {drift}", drift.id())).collect();
    assert_eq!(
        said,
        [
            "dangling-pointer: line 3 points to gone.md, which does not exist",
            "doubled-pointer: line 4 points to a.md, as line 2 does already",
            "long-line: line 5 has 264 characters, more than 200",
            "long-line: line 6 has 250 characters, more than 200",
            "malformed-pointer: line 7 names sub/c.md but is not a pointer to it",
            "missing-pointer: nothing points to d d.md",
        ]
    );
    assert_eq!(found[2].target(), Some("b.md"));
    assert_eq!(found[3].target(), None, "the user's own line");
    assert_eq!(drift(&index(""), &["MEMORY.md", "team/MEMORY.md", "../x.md", "note.txt"]), []);
}

#[test]
fn i6_lines_that_were_meant_as_pointers() {
    let meant = [
        "[A](a.md) — hook",
        "1. [A](a.md)",
        "2) [A](a.md)",
        "- [ ] [A](a.md)",
        "- [x] [A](a.md)",
        "- [A] (a.md) — hook",
        "- [A](a.md — hook",
        "- a.md — hook",
        "- `a.md`: hook",
        "* **a.md** hook",
        "- [[a]] hook",
        "- <a.md>",
        "- [a.md] hook",
    ];
    for line in meant {
        let found = drift(&index(line), &["a.md"]);
        assert_eq!(found, [Drift::Malformed { line: 1, target: "a.md".into() }], "{line}");
        // With a true pointer anywhere it is a mention, and the user's.
        assert_eq!(drift(&index(&format!("{line}\n- [A](a.md)")), &["a.md"]), [], "{line}");
    }
    for line in
        ["see a.md", "- see a.md", "a.md is old", "- Note: [A](a.md)", "- [web](https://x.org/a.md)", "> [A](a.md)"]
    {
        assert_eq!(drift(&index(line), &["a.md"]), [Drift::Orphan { target: "a.md".into() }], "{line}");
    }
}

#[test]
fn i6_repair_fixes_it_all_and_leaves_the_users_lines() {
    let long = "word ".repeat(60);
    let raw = format!(
        "\u{feff}# M\r\n\r\n- [Gone](gone.md) — old\r\n  * [A](a.md) — {long}\r\n\
         - see b.md, says the user {long}\r\n- [A](a.md) — again\r\n1. [B](b.md) — mine\r\n- sub/c.md"
    );
    let made = repair(&index(&raw), &known());
    let fixed = text(&made.index);
    let lines: Vec<&str> = fixed.trim_start_matches('\u{feff}').split("\r\n").collect();
    assert!(fixed.starts_with('\u{feff}'));
    assert_eq!(lines[..2], ["# M", ""]);
    assert!(lines[2].starts_with("  * [A](a.md) — word") && lines[2].ends_with("word…"), "{}", lines[2]);
    assert!(lines[2].chars().count() <= limits::POINTER_CHARS);
    assert_eq!(lines[3], format!("- see b.md, says the user {long}"));
    assert_eq!(lines[4..], ["- [B](b.md) — mine", "- [Title](sub/c.md) — hook", "- [Title](d%20d.md) — hook"]);
    assert_eq!((made.cut.len(), made.cut[0].target.as_str()), (1, "a.md"));
    assert_eq!(made.cut[0].text, long.trim(), "nothing of a long line is lost");
    let removed: Vec<(usize, &str)> = made.removed.iter().map(|line| (line.line, line.text.as_str())).collect();
    assert_eq!(removed, [(3, "- [Gone](gone.md) — old"), (6, "- [A](a.md) — again")]);
    let left = drift(&made.index, &FILES);
    assert!(left.iter().all(|drift| drift.target().is_none()), "only the user's long line: {left:?}");
    let again = repair(&made.index, &known());
    assert_eq!(again.index, made.index);
    assert!(again.cut.is_empty() && again.removed.is_empty());
}

#[test]
fn i6_a_sound_index_is_not_touched() {
    for raw in ["- [A](a.md)\n\n# Notes\r\nmine", "* [A](./a.md): x\n\n\n", "- [A](a.md) — \u{202e}bidi  two spaces"]
    {
        let files = [Known { target: "a.md", title: "T", hook: "h" }];
        assert_eq!(text(&repair(&index(raw), &files).index), raw);
    }
}

#[test]
fn i6_a_title_too_long_is_kept_aside_too() {
    let title = "t".repeat(300);
    let files = [Known { target: "a.md", title: "T", hook: "h" }];
    let made = repair(&index(&format!("- [{title}](a.md) — hook\n")), &files);
    assert_eq!(made.cut[0].text, format!("{title} — hook"));
    assert_eq!(repair(&made.index, &files).index, made.index);
}

#[test]
fn i6_a_file_name_too_long_for_a_line_is_no_drift_that_never_ends() {
    for length in [185, 190, 200, 252] {
        let name = format!("{}.md", "n".repeat(length));
        let files = [Known { target: &name, title: "Title", hook: "hook" }];
        let raw = format!("- [A long title of its own]({name}) — {}\n", "hook ".repeat(30));
        for raw in [raw.as_str(), ""] {
            let made = repair(&index(raw), &files);
            assert_eq!(drift(&made.index, &[&name]), [], "{raw}");
            let again = repair(&made.index, &files);
            assert_eq!(again.index, made.index);
            assert!(again.cut.is_empty());
        }
    }
}
