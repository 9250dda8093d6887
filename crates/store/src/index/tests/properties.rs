//! What holds for every index, however odd.

use proptest::prelude::*;

use super::super::{DroppedLine, Loaded, rows};
use super::*;
use memdir_core::limits;

const TARGETS: [&str; 6] = ["a.md", "b.md", "sub/c.md", "d d.md", "e(1).md", "中.md"];

fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(vec![
            "- [A](a.md) — hook\n",
            "- [A](a.md)\n",
            "* [B](b.md): x\r\n",
            "  - [C](./sub/c.md) - y\n",
            "- [D](<d d.md>)\n",
            "- [D](d%20d.md)\n",
            "[E](e(1).md) — z\n",
            "- a.md\n",
            "1. [B](b.md)\n",
            "- [Gone](gone.md) — old\n",
            "# M\n",
            "\n",
            "\r\n",
            "text",
            "- see a.md",
            "- [",
            "](",
            ")",
            "é",
            "中",
            "\u{202e}",
            "\0",
            " ",
            "\t",
        ])
        .prop_map(str::to_owned),
        (0..6_usize, 1..400_usize).prop_map(|(at, length)| format!(
            "- [T]({}) — {}\n",
            TARGETS[at].replace(' ', "%20"),
            "wörd ".repeat(length)
        )),
        "\\PC{0,20}\n",
    ]
}

fn soup() -> impl Strategy<Value = Vec<u8>> {
    let bytes = prop_oneof![
        15 => piece().prop_map(String::into_bytes),
        1 => prop::collection::vec(any::<u8>(), 1..4),
    ];
    let bom = prop::sample::select(vec!["", "\u{feff}"]);
    (bom, prop::collection::vec(bytes, 0..20)).prop_map(|(bom, pieces)| [bom.as_bytes(), &pieces.concat()].concat())
}

/// A text near the limits: many short lines or a few long ones.
fn large() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        8 => (0..400_usize).prop_map(|number| format!("- [T{number}](f{number}.md) — hook")),
        2 => (0..400_usize, 0..225_usize)
            .prop_map(|(number, times)| format!("- [T](f{number}.md) — {}", "é中😀x".repeat(times))),
        1 => Just(String::new()),
        1 => "\\PC{0,60}",
    ];
    (prop::collection::vec(line, 0..420), prop::option::weighted(0.1, 1..60_000_usize)).prop_map(
        |(mut lines, first)| {
            lines.splice(0..0, first.map(|length| "中".repeat(length / 3)));
            lines.join("\n")
        },
    )
}

fn body(loaded: &Loaded) -> &str {
    match loaded.cut {
        Some(_) => loaded.text.rsplit_once("\n\n> WARNING: MEMORY.md is ").unwrap().0,
        None => &loaded.text,
    }
}

fn size(text: &str, unit: SizeUnit) -> usize {
    if unit == SizeUnit::Bytes { text.len() } else { text.encode_utf16().count() }
}

/// The plain rule, word for word and without cleverness.
fn oracle(raw: &str, unit: SizeUnit) -> String {
    let trimmed = raw.trim_matches(|letter: char| letter.is_whitespace() || letter == '\u{feff}');
    let lines: Vec<&str> = trimmed.split('\n').take(limits::INDEX_LINES).collect();
    let mut text = lines.join("\n");
    while size(&text, unit) > limits::INDEX_BYTES {
        match text.rfind('\n') {
            Some(at) => text.truncate(at),
            None => drop(text.pop()),
        }
    }
    text
}

fn noise() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 0..200)
}

/// The lines without space at their ends: a lone `\r` there may get its `\n`.
fn lines(index: &Index) -> Vec<Vec<u8>> {
    let bytes = index.as_bytes();
    rows(bytes).map(|row| bytes[row.start..row.end].trim_ascii_end().to_vec()).collect()
}

fn unit() -> impl Strategy<Value = SizeUnit> {
    prop::sample::select(vec![SizeUnit::Bytes, SizeUnit::Utf16])
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 128, failure_persistence: None, ..ProptestConfig::default()
    })]

    #[test]
    fn i4_any_bytes_are_kept(raw in prop_oneof![soup(), noise()]) {
        let index = Index::parse(raw.clone());
        let _ = (index.pointers(), drift(&index, &TARGETS), load(&raw, SizeUnit::Bytes, &|_| true));
        prop_assert_eq!(index.as_bytes(), &raw[..]);
        let lines: usize = rows(&raw).map(|row| row.next - row.start).sum();
        prop_assert!(raw.len() - lines == 0 || raw.len() - lines == 3);
    }

    #[test]
    fn i4_pointing_is_idempotent_and_touches_one_line(
        raw in soup(), at in 0..6_usize, title in any::<String>(), hook in any::<String>()
    ) {
        let before = Index::parse(raw.clone());
        let edit = before.point(TARGETS[at], &title, &hook);
        let mut made = before.clone();
        made.apply(&edit);
        let count = |index: &Index| {
            index.pointers().iter().filter(|found| found.target == TARGETS[at]).count()
        };
        prop_assert_eq!(count(&made), count(&before).max(1));
        let line = edit.after.clone().unwrap();
        prop_assert!(line.chars().count() <= limits::POINTER_CHARS && !line.contains('\n'));
        prop_assert!(made.point(TARGETS[at], &title, &hook).is_empty());
        let once = made.clone();
        made.apply(&edit);
        prop_assert_eq!(&made, &once);
        // Every other line stands where it stood.
        let (mut old, mut new) = (lines(&before), lines(&made));
        new.remove(edit.at);
        if edit.before.is_some() {
            old.remove(edit.at);
        }
        prop_assert_eq!(old, new);
        // And back.
        made.apply(&edit.reversed());
        let exact = edit.before.as_ref().is_none_or(|line| !line.contains('\u{fffd}'));
        if exact {
            prop_assert_eq!(made.as_bytes(), &raw[..]);
        }
    }

    #[test]
    fn i4_unpointing_leaves_no_pointer(raw in soup(), at in 0..6_usize) {
        let mut made = Index::parse(raw);
        let edit = made.unpoint(TARGETS[at]);
        made.apply(&edit);
        prop_assert!(made.pointers().iter().all(|found| found.target != TARGETS[at]));
        let once = made.clone();
        made.apply(&edit);
        prop_assert_eq!(made, once);
    }

    #[test]
    fn i2_without_kept_lines_it_is_the_plain_rule(raw in large(), unit in unit()) {
        let loaded = load(raw.as_bytes(), unit, &|_| false);
        prop_assert_eq!(body(&loaded), oracle(&raw, unit));
    }

    #[test]
    fn i2_whatever_is_kept_it_stays_within_the_limits_and_in_order(
        raw in large(), unit in unit(), modulus in 1..40_usize
    ) {
        let keep = |target: &str| {
            let number = target.strip_prefix('f').and_then(|name| name.strip_suffix(".md"));
            number.and_then(|number| number.parse().ok()).is_some_and(|at: usize| at.is_multiple_of(modulus))
        };
        let loaded = load(raw.as_bytes(), unit, &keep);
        let text = body(&loaded);
        prop_assert!(size(text, unit) <= limits::INDEX_BYTES);
        let shown: Vec<&str> = text.split('\n').collect();
        prop_assert!(shown.len() <= limits::INDEX_LINES);
        let inside_line = loaded.cut.is_some_and(|cut| cut.inside_line);
        let mut file = raw.trim_start().split('\n').enumerate();
        for line in &shown {
            let found = file.any(|(at, own)| {
                own.trim_end() == line.trim_end() || at == 0 && inside_line && own.starts_with(line)
            });
            prop_assert!(found, "{line:?} is no line of the file after the one before it");
        }
        // A short line that is wanted stays out only if ordinary lines left no room worth naming.
        let short = |line: &DroppedLine| line.text.len() < 100;
        let wanted = |line: &DroppedLine| line.target.as_deref().is_some_and(keep);
        if !inside_line && loaded.dropped.iter().any(|line| short(line) && wanted(line)) {
            let own = |line: &&&str| index(line).pointers().iter().any(|found| keep(&found.target));
            let ordinary = shown.iter().filter(|line| !own(line));
            prop_assert!(ordinary.map(|line| size(line, unit)).sum::<usize>() < 200);
        }
        let missing = loaded.displaced.len() + loaded.dropped.len();
        prop_assert!(loaded.cut.map_or(0, |cut| cut.missing) >= missing);
    }

    #[test]
    fn i6_repair_is_complete_idempotent_and_kind(raw in soup(), count in 0..7_usize) {
        let files = &TARGETS[..count.min(6)];
        let known = |target| PointerTarget { target, title: "T [x]", hook: "h\nh" };
        let known: Vec<PointerTarget<'_>> = files.iter().copied().map(known).collect();
        let before = Index::parse(raw);
        let made = repair(&before, &known);
        let left = drift(&made.index, files);
        prop_assert!(left.iter().all(|drift| matches!(drift, Drift::LongLine { .. })), "{left:?}");
        let again = repair(&made.index, &known);
        prop_assert_eq!(&again.index, &made.index);
        prop_assert!(again.removed.is_empty());
        // A line that leads somewhere, or is not a pointer, is there as it was, unless it is there twice.
        let mended = drift(&before, files).into_iter().filter_map(|drift| match drift {
            Drift::Dangling { line, .. } | Drift::Doubled { line, .. } => Some(line),
            _ => None,
        });
        let pointers: Vec<usize> = mended.collect();
        let mut fixed = lines(&made.index).into_iter();
        for (at, own) in lines(&before).into_iter().enumerate() {
            if !pointers.contains(&(at + 1)) {
                prop_assert!(fixed.any(|line| line == own), "line {} went", at + 1);
            }
        }
    }
}
