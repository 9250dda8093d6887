//! Code and comments are hidden, everything else is seen.

use super::*;
use proptest::prelude::*;

/// The words that are prose and hold an `x`, in order.
fn seen(text: &str) -> Vec<&str> {
    prose(text)
        .into_iter()
        .flat_map(|range| text[range].split_whitespace())
        .filter(|word| word.starts_with('x'))
        .collect()
}

#[test]
fn what_is_prose() {
    let cases: &[(&str, &str, &[&str])] = &[
        ("plain", "x1\n\nx2", &["x1", "x2"]),
        ("span", "x1 `x2` x3", &["x1", "x3"]),
        ("span over a line end", "x1 `a\nx2 b` x3", &["x1", "x3"]),
        ("no span over a paragraph end", "x1 `a\n\nx2 b` x3", &["x1", "x2", "x3"]),
        ("spans of two", "`` x1 ` x2 `` x3", &["x3"]),
        ("lone backtick", "a ` x1", &["x1"]),
        ("lone run before a span", "``` a `x1` x2", &["x2"]),
        ("escaped backtick", "\\` x1 ` x2", &["x1", "x2"]),
        ("heading ends a span", "# a ` b\nx1 ` c", &["x1"]),
        ("fence", "x1\n```\nx2\n```\nx3", &["x1", "x3"]),
        ("fence with info", "```sh title=1\nx1\n```\nx2", &["x2"]),
        ("tildes", "~~~\nx1\n```\nx2\n~~~\nx3", &["x3"]),
        ("longer closing", "```\nx1\n`````\nx2", &["x2"]),
        ("shorter is no closing", "````\n```\nx1\n````\nx2", &["x2"]),
        ("info is no closing", "```\nx1\n``` x\nx2\n```\nx3", &["x3"]),
        ("unclosed fence", "x1\n```\nx2", &["x1"]),
        ("fence in a list", "- a\n\n  ```\n  x1\n  ```\n- x2", &["x2"]),
        ("fence deep in a list", "1. a\n    - b\n\n      ```\n      x1\n      ```\n      x2", &["x2"]),
        ("fence on the item's line", "- ```\n  x1\n  ```\n- x2", &["x2"]),
        ("fence in a quote", "> ```\n> x1\n> ```\n> x2", &["x2"]),
        ("quote ends an open fence", "> ```\n> x1\n\nx2", &["x2"]),
        ("span that looks like a fence", "```x1``` x2", &["x2"]),
        ("indented block", "a\n\n    x1\n\n    x2\n\nx3", &["x3"]),
        ("tab", "a\n\n\tx1\nx2", &["x2"]),
        ("indented at the top", "    x1\nx2", &["x2"]),
        ("lazy line is no block", "a\n    x1", &["x1"]),
        ("text of an item", "- a\n\n  x1\n\n    x2", &["x1", "x2"]),
        ("block in an item", "- a\n\n      x1\n\n  x2", &["x2"]),
        ("nested item", "- a\n    - x1\n\n        x2", &["x1", "x2"]),
        ("block after a list", "- a\n\nb\n\n    x1", &[]),
        ("comment", "x1 <!-- x2 --> x3", &["x1", "x3"]),
        ("comment over paragraphs", "<!-- a\n\nx1\n\n```\n--> x2\nx3", &["x2", "x3"]),
        ("comment in a span", "`<!--` x1 `-->` x2", &["x1", "x2"]),
        ("no comment without end", "a <!-- x1", &["x1"]),
        ("block comment without end", "<!-- a\n\nx1", &[]),
        ("comment after an item mark", "- <!-- x1 -->\n- x2", &["x2"]),
        ("crlf", "x1\r\n\r\n```\r\nx2\r\n```\r\nx3 `x4`\r\n", &["x1", "x3"]),
    ];
    for (name, text, want) in cases {
        assert_eq!(seen(text), *want, "{name}: {text:?}");
    }
}

#[test]
fn hostile_texts_cost_linear_time() {
    // Any of these takes minutes when a step is quadratic.
    let many = 1 << 18;
    for piece in ["`", "` ", "<!--", "a<!--", "- ", "> ", "\\", "\t", "``` a\n", "a`\n"] {
        prose(&piece.repeat(many));
    }
    let growing: String = (1..1500).map(|n| "`".repeat(n) + " ").collect();
    prose(&growing);
}

proptest! {
    #[test]
    fn ranges_are_in_order_and_on_characters(
        text in r"([`~>\-\*# \t\n\\é漢x1.\r]|```|<!--|-->|    |\n\n){0,80}"
    ) {
        let mut end = 0;
        for range in prose(&text) {
            prop_assert!(range.start >= end && range.start < range.end);
            prop_assert!(text.get(range.clone()).is_some());
            end = range.end;
        }
    }

    #[test]
    fn text_without_marks_is_all_prose(text in "[a-zé .,\n]{0,60}") {
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        // Indentation is a mark too.
        let text: String = text.lines().flat_map(|line| [line.trim(), "\n"]).collect();
        let seen: String = prose(&text).into_iter().map(|range| &text[range]).collect();
        prop_assert_eq!(words(&seen), words(&text));
    }
}
