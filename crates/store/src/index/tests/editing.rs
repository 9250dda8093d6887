//! One pointer at a time (I4).

use super::super::Rewording;
use super::*;
use memdir_core::limits;

fn pointed(before: &str, target: &str, title: &str, hook: &str) -> String {
    let mut made = index(before);
    let edit = made.point(target, title, hook);
    made.apply(&edit);
    text(&made).to_owned()
}

#[test]
fn i4_a_pointer_is_added_or_replaced_never_doubled() {
    let table = [
        ("", "- [B](b.md) — hook\n"),
        ("\u{feff}", "\u{feff}- [B](b.md) — hook\n"),
        ("- [A](a.md)\n", "- [A](a.md)\n- [B](b.md) — hook\n"),
        ("- [A](a.md)", "- [A](a.md)\n- [B](b.md) — hook"),
        ("- [A](a.md)\r\n", "- [A](a.md)\r\n- [B](b.md) — hook\r\n"),
        ("- [A](a.md)\r\n\r\n", "- [A](a.md)\r\n- [B](b.md) — hook\r\n\r\n"),
        ("# Memory\n\n", "# Memory\n\n- [B](b.md) — hook\n"),
        ("# Memory", "# Memory\n- [B](b.md) — hook"),
        ("- [B](b.md) — old\n- [A](a.md)\n", "- [B](b.md) — hook\n- [A](a.md)\n"),
        ("x\r\n  * [Old](./b.md): old\r\ny", "x\r\n  * [B](b.md) — hook\r\ny"),
        ("- [B](b.md)\n- [B](b.md) — double\n", "- [B](b.md) — hook\n- [B](b.md) — double\n"),
        ("- [B](b.md) — hook\n", "- [B](b.md) — hook\n"),
        ("- see b.md\n", "- see b.md\n- [B](b.md) — hook\n"),
    ];
    for (before, after) in table {
        assert_eq!(pointed(before, "b.md", "B", "hook"), after, "{before:?}");
        assert_eq!(pointed(after, "b.md", "B", "hook"), after, "twice: {before:?}");
    }
}

#[test]
fn i1_the_line_is_clean_and_within_the_limit() {
    let table = [
        ("b.md", "B", "", "- [B](b.md)\n"),
        ("b.md", "", "hook", "- [b](b.md) — hook\n"),
        (
            "b.md",
            "Staging server",
            "The staging server is called heron",
            "- [Staging server](b.md) — is called heron\n",
        ),
        ("b.md", "Preise", "Die Preise sind ohne Steuer", "- [Preise](b.md) — sind ohne Steuer\n"),
        // Only an article is no part of what is said.
        (
            "b.md",
            "Deploy on Fridays",
            "Never deploy on Fridays",
            "- [Deploy on Fridays](b.md) — Never deploy on Fridays\n",
        ),
        ("sub/my file (1).md", "B", "h", "- [B](sub/my%20file%20%281%29.md) — h\n"),
        ("b.md", "a [b](c.md)\nd\\", "two\r\n lines\t\u{202e}x\u{0}", "- [a (b)(c.md) d](b.md) — two lines x\n"),
    ];
    for (target, title, hook, line) in table {
        assert_eq!(pointed("", target, title, hook), line);
        assert_eq!(index(line).pointers()[0].target, target);
    }
    // A file name that would show itself in another order is escaped, and read back.
    assert_eq!(pointed("", "a\u{202e}dm.md", "B", ""), "- [B](a%E2%80%AEdm.md)\n");
    assert_eq!(index("- [B](a%E2%80%AEdm.md)").pointers()[0].target, "a\u{202e}dm.md");
    let words = "word ".repeat(100);
    let cut = pointed("", "b.md", "Title", &words);
    assert!(cut.contains("word word… word") && cut.ends_with("word word\n"), "{cut}");
    assert_eq!(pointed("", "b.md", "Title", "中".repeat(400).as_str()).chars().count(), limits::POINTER_CHARS + 1);
    let both = pointed("", "b.md", &words, &"other ".repeat(100));
    assert!(both.chars().count() <= limits::POINTER_CHARS + 1 && both.matches('…').count() == 2, "{both}");
    let long = format!("{}.md", "x".repeat(150));
    assert_eq!(index(&pointed("", &long, "Title", "hook")).pointers()[0].target, long);
}

#[test]
fn i4_a_pointer_is_removed_with_all_its_doubles() {
    let table = [
        ("- [A](a.md)\n- [B](b.md)\n", "- [A](a.md)\n"),
        ("- [A](a.md)\r\n- [B](b.md)", "- [A](a.md)"),
        ("- [B](b.md)\nx", "x"),
        ("- [B](b.md)\n\n- [B](b.md)\nx\n", "\nx\n"),
        ("\u{feff}- [B](b.md)", "\u{feff}"),
        ("- see b.md\n", "- see b.md\n"),
    ];
    for (before, after) in table {
        let mut made = index(before);
        let edit = made.unpoint("b.md");
        made.apply(&edit);
        assert_eq!(text(&made), after, "{before:?}");
        made.apply(&edit);
        assert_eq!(text(&made), after, "twice: {before:?}");
    }
}

#[test]
fn i4_an_edit_survives_what_happened_in_between() {
    // Recorded against one file, applied to another: after a crash, or as an undo days later.
    let added = index("- [A](a.md)\n").point("b.md", "B", "new");
    let replaced = index("- [A](a.md)\n- [B](b.md) — old\n").point("b.md", "B", "new");
    let removed = index("- [B](b.md) — old\n- [A](a.md)\n").unpoint("b.md");
    let table = [
        (&added, "- [B](b.md) — the user's\nx\n", "- [B](b.md) — the user's\nx\n"),
        (&replaced, "- [B](b.md) — the user's\n", "- [B](b.md) — the user's\n"),
        (&added, "", "- [B](b.md) — new\n"),
        (&replaced, "x\n- [B](b.md) — new\n", "x\n- [B](b.md) — new\n"),
        (&replaced, "x\n", "x\n- [B](b.md) — new\n"),
        (&removed, "x\n- [B](b.md) — changed\n", "x\n"),
        (&removed.reversed(), "x\ny\n", "- [B](b.md) — old\nx\ny\n"),
        (&removed.reversed(), "x\n- [B](b.md) — back already\n", "x\n- [B](b.md) — back already\n"),
        (&replaced.reversed(), "- [B](b.md) — new\n", "- [B](b.md) — old\n"),
        (&added.reversed(), "- [A](a.md)\n- [B](b.md) — new\n", "- [A](a.md)\n"),
    ];
    for (edit, before, after) in table {
        let edit: PointerEdit = serde_json::from_str(&serde_json::to_string(edit).unwrap()).unwrap();
        let mut made = index(before);
        made.apply(&edit);
        assert_eq!(text(&made), after, "{edit:?} on {before:?}");
        made.apply(&edit);
        assert_eq!(text(&made), after, "twice");
    }
}

#[test]
fn i4_all_lines_of_a_memory_go_and_come_back_with_it() {
    for before in
        ["- [B](b.md) — one\nx\n* [B again](b.md): two\n- [B](b.md) — one\ny", "# H\r\n+ [B](b.md)\r\n+ [B](b.md)\r\n"]
    {
        let mut made = index(before);
        let edit = made.unpoint("b.md");
        let edit: PointerEdit = serde_json::from_str(&serde_json::to_string(&edit).unwrap()).unwrap();
        made.apply(&edit);
        assert!(!text(&made).contains("b.md"));
        for _ in 0..2 {
            made.apply(&edit.reversed());
            assert_eq!(text(&made), before);
        }
    }
}

#[test]
fn i4_a_line_of_another_hand_stays_while_memdirs_own_follows() {
    let own = index("- [Rota](rota.md) — Ben runs it").point("rota.md", "Rota", "Ben runs it").after.unwrap();
    let raw = format!("* [On call](rota.md): ask Ben, he knows\r\n{own}\r\n");
    let follow = |swaps: &[(String, String)], outdated: bool| {
        let mut made = index(&raw);
        let change = Rewording {
            was: ("Rota", "Ben runs it"),
            now: ("Rota", "Dana runs it"),
            swaps,
            is_outdated: &|line| outdated && line.contains("Ben"),
        };
        for edit in made.follow("rota.md", &change) {
            made.apply(&edit);
        }
        text(&made).to_owned()
    };
    let new = "- [Rota](rota.md) — Dana runs it\r\n";
    assert_eq!(follow(&[], false), format!("* [On call](rota.md): ask Ben, he knows\r\n{new}"));
    assert_eq!(follow(&[], true), format!("* [Rota](rota.md) — Dana runs it\r\n{new}"));
    let swaps = [("Ben".to_owned(), "Dana".to_owned())];
    assert_eq!(follow(&swaps, true), format!("* [On call](rota.md): ask Dana, he knows\r\n{new}"));
}

#[test]
fn i4_a_file_with_another_name_keeps_its_lines() {
    let mut made = index("# H\n  + [A](./a.md#part \"x\"): hook\nsee a.md\n");
    for edit in made.rename("a.md", "sub/b b.md") {
        made.apply(&edit);
    }
    assert_eq!(text(&made), "# H\n  + [A](sub/b%20b.md#part \"x\"): hook\nsee a.md\n");
    let carried = index("mine").carry("* [A](a.md) — as it was", "b.md");
    assert_eq!(carried.after.as_deref(), Some("* [A](b.md) — as it was"));
    assert!(index("- [B](b.md) mine").carry("* [A](a.md) — as it was", "b.md").is_empty());
}

#[test]
fn i4_an_edit_of_a_doubled_line_can_be_taken_back() {
    let before = "- [B](b.md) — old\n- [B](b.md) — old\n";
    let mut made = index(before);
    let edit = made.point("b.md", "B", "new");
    made.apply(&edit);
    assert_eq!(text(&made), "- [B](b.md) — new\n- [B](b.md) — old\n");
    made.apply(&edit.reversed());
    assert_eq!(text(&made), before);
}

#[test]
fn i4_an_edit_from_a_damaged_journal_adds_one_line_at_most() {
    let edit = PointerEdit {
        target: "b.md".into(),
        before: None,
        after: Some("no pointer\n- [X](x.md)".into()),
        at: 99,
        more: Vec::new(),
    };
    let mut made = index("- [A](a.md)\n");
    made.apply(&edit);
    made.apply(&edit);
    assert_eq!(text(&made), "- [A](a.md)\nno pointer\n");
    assert!(index("").unpoint("b.md").is_empty());
}

#[test]
fn i4_a_lone_carriage_return_at_the_end_stays() {
    for raw in ["mine\r", "- [B](b.md)\r", "a\r\nb\r", "\r"] {
        let before = index(raw);
        let edit = before.point("a.md", "A", "hook");
        let mut made = before.clone();
        made.apply(&edit);
        assert_eq!(made.pointers().last().map(|found| found.target.as_str()), Some("a.md"));
        made.apply(&edit.reversed());
        assert_eq!(made, before, "{raw:?}");
    }
}

#[test]
fn a_cut_falls_between_letters_and_at_a_word_where_that_is_cheap() {
    use crate::index::compose::cut;
    assert_eq!(cut("abcde", 5), "abcde");
    assert_eq!(cut("äöüäö", 5), "äöüäö");
    assert_eq!(cut("abcdef", 5), "abcd…");
    assert_eq!(cut("abcd efghij", 9), "abcd efg…", "half of it is too much for a word");
    assert_eq!(cut("abcde fghij", 9), "abcde…");
    assert_eq!(cut("abcd, fghij", 7), "abcd…");
    assert_eq!(cut("ab👩\u{200d}💻cd", 5), "ab…");
    assert_eq!(cut("abe\u{301}cd", 4), "ab…");
    assert_eq!(cut("\u{301}\u{301}\u{301}\u{301}", 2), "…");
    assert_eq!(cut("abc", 0), "…");
}
