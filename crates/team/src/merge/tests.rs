use proptest::prelude::*;

use super::*;

fn file(front: &str, body: &str) -> String {
    format!("---\n{front}---\n\n{body}")
}

const BASE: &str = "---\nname: Releases\ndescription: Who cuts them\ntype: project\n---\n\nMara cuts releases.\n\n**Why:** she has the keys.\n\n**How to apply:** ask her first.\n";

#[test]
fn two_people_edit_one_memory_in_two_paragraphs_and_both_stay() {
    let ours = BASE.replace("Mara cuts releases.", "Mara cuts releases on Tuesdays.");
    let theirs = BASE.replace("ask her first.", "ask her a day before.");
    let merged = merge(Some(BASE), &ours, &theirs);
    assert_eq!(merged, ours.replace("ask her first.", "ask her a day before."));
    assert_eq!(merged, merge(Some(BASE), &theirs, &ours));
    assert!(!has_conflict(&merged));
}

#[test]
fn both_sides_of_a_true_conflict_are_kept_and_marked_until_somebody_decides() {
    let ours = BASE.replace("Mara cuts", "Jon cuts");
    let theirs = BASE.replace("Mara cuts", "Ada cuts");
    let merged = merge(Some(BASE), &ours, &theirs);
    assert!(has_conflict(&merged) && merged.contains("Jon cuts") && merged.contains("Ada cuts"), "{merged}");
    assert!(!merged.contains("Mara cuts"));
    assert_eq!(merged, merge(Some(BASE), &theirs, &ours));
    // A third voice joins, the same voice does not come twice.
    let third = merge(Some(BASE), &merged, &BASE.replace("Mara cuts", "Lin cuts"));
    assert_eq!(third.matches(OR).count(), 2, "{third}");
    assert_eq!(merge(Some(BASE), &merged, &theirs), merged);
    // Somebody decides; somebody else changes another paragraph.
    let decided = merge(Some(&merged), &ours, &merged.replace("she has the keys", "she holds the keys"));
    assert!(!has_conflict(&decided) && decided.contains("Jon cuts") && decided.contains("holds"), "{decided}");
}

#[test]
fn frontmatter_merges_by_key_and_a_second_value_has_a_name() {
    let ours =
        BASE.replace("Who cuts them", "Who cuts releases").replace("type: project\n", "type: project\npinned: true\n");
    let theirs = BASE.replace("name: Releases", "name: Release duty");
    let merged = merge(Some(BASE), &ours, &theirs);
    for line in ["name: Release duty\n", "description: Who cuts releases\n", "pinned: true\n"] {
        assert!(merged.contains(line), "{merged}");
    }
    let other = BASE.replace("Who cuts them", "Release captain");
    let merged = merge(Some(BASE), &ours, &other);
    assert!(has_conflict(&merged) && merged.contains("other-description: "), "{merged}");
    assert!(merged.contains("Who cuts releases") && merged.contains("Release captain"));
    assert_eq!(merge(Some(BASE), &merged, &other), merged);
    let decided: String =
        merged.lines().filter(|line| !line.starts_with("other-")).map(|line| format!("{line}\n")).collect();
    assert_eq!(merge(Some(&merged), &decided, &merged), decided);
}

#[test]
fn what_programs_write_into_metadata_is_no_conflict() {
    let text = |time: &str, kind: &str| {
        file(&format!("name: A\nmetadata:\n  node_type: memory\n  type: {kind}\n  modified: {time}\n"), "One.\n")
    };
    let base = text("2026-01-01", "project");
    let merged = merge(Some(&base), &text("2026-01-03", "project"), &text("2026-01-02", "reference"));
    assert_eq!(merged, text("2026-01-03", "reference"));
}

#[test]
fn without_a_common_version_both_are_kept_once() {
    let merged = merge(None, "One.\n\nTwo.\n", "Two.\n\nThree.\n");
    for word in ["One.", "Two.", "Three."] {
        assert_eq!(merged.matches(word).count(), 1, "{merged}");
    }
}

#[test]
fn items_of_a_list_are_paragraphs_and_stay_a_list() {
    let base = "- one\n- two\n- three\n";
    let merged = merge(Some(base), "- one!\n- two\n- three\n- four\n", "- one\n- two\n- three!\n");
    assert_eq!(merged, "- one!\n- two\n- three!\n- four\n");
}

#[test]
fn blank_lines_in_code_separate_nothing() {
    let base = "Intro.\n\n```\na\n\nb\n```\n\nEnd.\n";
    let merged = merge(Some(base), &base.replace("Intro.", "Start."), &base.replace("b\n", "c\n"));
    assert_eq!(merged, "Start.\n\n```\na\n\nc\n```\n\nEnd.\n");
}

#[test]
fn an_index_merges_by_pointer() {
    let base = "- [A](a.md) — one\n- [B](b.md) — two\n- [C](c.md) — three\n";
    let ours = "# Team\n\n- [A](a.md) — one, better\n- [B](b.md) — two\n- [D](d.md) — four\n";
    let theirs = "- [A](a.md) — one\n- [C](c.md) — three\n- [E](e.md) — five\n";
    // `c.md` was deleted by us and edited by them, so it stays; `b.md` is gone.
    let fates = PresentTargets { there: ["a.md", "c.md", "d.md", "e.md"].map(str::to_owned).into() };
    let merged = merge_index(Some(base), ours, theirs, &fates);
    assert_eq!(merged, merge_index(Some(base), theirs, ours, &fates));
    let mut lines: Vec<&str> = merged.lines().collect();
    lines.sort_unstable();
    assert_eq!(
        lines,
        ["", "# Team", "- [A](a.md) — one, better", "- [C](c.md) — three", "- [D](d.md) — four", "- [E](e.md) — five"]
    );
    let both =
        merge_index(Some(base), &base.replace("two", "2"), &base.replace("two", "zwei"), &PresentTargets::default());
    assert_eq!(both.matches("(b.md)").count(), 1);
}

/// A memory made of few words, so that sides often meet.
fn text() -> impl Strategy<Value = String> {
    let paragraph =
        prop::sample::select(vec!["ant", "bee", "cat ox", "cat", "dog", "- e", "- f", "# g", "```\nh\n\ni\n```"]);
    let key = (prop::sample::select(vec!["name", "description", "type", "x"]), "[a-c]");
    (prop::option::of(prop::collection::vec(key, 0..4)), prop::collection::vec(paragraph, 0..6)).prop_map(
        |(keys, body)| {
            let body: String = body.iter().map(|text| format!("{text}\n\n")).collect();
            match keys {
                None => body,
                Some(keys) => {
                    file(&keys.iter().map(|(key, value)| format!("{key}: {value}\n")).collect::<String>(), &body)
                }
            }
        },
    )
}

/// Every piece of text that somebody could miss.
fn pieces(text: &str) -> Vec<String> {
    text.split("\n\n")
        .flat_map(|block| block.split("\n- "))
        .map(|piece| piece.trim_start_matches("- ").trim().to_owned())
        .filter(|piece| !piece.is_empty() && !piece.starts_with("---"))
        .collect()
}

proptest! {
    #[test]
    fn it_does_not_matter_who_merges(base in prop::option::of(text()), a in text(), b in text()) {
        prop_assert_eq!(merge(base.as_deref(), &a, &b), merge(base.as_deref(), &b, &a));
    }

    #[test]
    fn what_either_side_added_is_there(base in text(), a in text(), b in text()) {
        let merged = merge(Some(&base), &a, &b);
        let (old, other) = (pieces(&base), [pieces(&a), pieces(&b)]);
        for piece in other.iter().flatten().filter(|piece| !old.contains(piece)) {
            prop_assert!(merged.contains(piece.as_str()), "{:?} is not in\n{}", piece, merged);
        }
    }

    #[test]
    fn merging_what_was_merged_loses_nothing_new(base in text(), a in text(), b in text()) {
        let merged = merge(Some(&base), &a, &b);
        let again = merge(Some(&base), &merged, &b);
        let old = pieces(&base);
        for piece in pieces(&merged).iter().filter(|piece| !piece.starts_with("<!--") && !old.contains(piece)) {
            prop_assert!(again.contains(piece.as_str()), "{:?} is not in\n{}", piece, again);
        }
        // And from there on nothing moves any more.
        prop_assert_eq!(merge(Some(&b), &again, &b), again);
    }

    #[test]
    fn any_text_at_all_is_merged(base in prop::option::of(".{0,60}"), a in "[-a-c:#`\n\r\0 ]{0,40}", b in "(?s).{0,40}") {
        let merged = merge(base.as_deref(), &a, &b);
        prop_assert_eq!(merge(base.as_deref(), &b, &a), merged);
        prop_assert_eq!(merge_index(base.as_deref(), &a, &b, &PresentTargets::default()), merge_index(base.as_deref(), &b, &a, &PresentTargets::default()));
    }
}
