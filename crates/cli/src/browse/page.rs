//! The text of a memory or of a diff, as lines that fit a width.
//!
//! Enters: text from files, of anybody. Leaves: lines with a look each, without the marks of Markdown; what a terminal would
//! obey is shown instead.

use crate::ui::{columns, safe};

/// How a line looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineStyle {
    Plain,
    Heading,
    Soft,
    Added,
    Removed,
}

/// Something to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TextPage {
    pub(super) title: String,
    /// Type, scope, age, file.
    pub(super) about: String,
    pub(super) text: String,
    pub(super) is_diff: bool,
}

impl TextPage {
    /// Its lines at a width.
    pub(super) fn lines(&self, width: usize) -> Vec<(LineStyle, String)> {
        let mut lines = Vec::new();
        let mut fenced = false;
        for line in self.text.trim_matches('\n').lines() {
            let fence = !self.is_diff && line.trim_start().starts_with("```");
            let look = if self.is_diff { diff_look(line) } else { prose_look(line, fenced || fence) };
            let shown = if self.is_diff || fenced || fence { line.to_owned() } else { rendered(line) };
            fenced ^= fence;
            if fence {
                continue;
            }
            lines.extend(wrapped(&safe(&shown).replace('\t', "    "), width).into_iter().map(|part| (look, part)));
        }
        lines
    }
}

fn diff_look(line: &str) -> LineStyle {
    match line.as_bytes() {
        [b'-', b'-', b'-', ..] | [b'+', b'+', b'+', ..] => LineStyle::Heading,
        [b'+', ..] => LineStyle::Added,
        [b'-', ..] => LineStyle::Removed,
        [b'@', ..] => LineStyle::Soft,
        _ => LineStyle::Plain,
    }
}

fn prose_look(line: &str, fenced: bool) -> LineStyle {
    if fenced || line.starts_with('>') {
        LineStyle::Soft
    } else if heading(line).is_some() {
        LineStyle::Heading
    } else {
        LineStyle::Plain
    }
}

/// The text of a heading.
fn heading(line: &str) -> Option<&str> {
    line.trim_start_matches('#').strip_prefix(' ').filter(|_| line.starts_with('#')).map(str::trim)
}

/// A line as it is meant: without the marks of headings, items, emphasis, code and links.
fn rendered(line: &str) -> String {
    if let Some(heading) = heading(line) {
        return inline(heading);
    }
    let rest = line.trim_start();
    let indent = &line[..line.len() - rest.len()];
    let item = ["- [ ] ", "- [x] ", "- ", "* ", "+ "].into_iter().find(|mark| rest.starts_with(mark));
    match item {
        Some("- [ ] ") => format!("{indent}☐ {}", inline(&rest[6..])),
        Some("- [x] ") => format!("{indent}☑ {}", inline(&rest[6..])),
        Some(mark) => format!("{indent}• {}", inline(&rest[mark.len()..])),
        None => format!("{indent}{}", inline(rest.strip_prefix("> ").unwrap_or(rest))),
    }
}

/// Text without the marks within a line. What is in code stays as it is.
fn inline(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let (shown, length) = pair(rest, "**", "**").or_else(|| pair(rest, "__", "__")).map_or_else(
            || code(rest).or_else(|| link(rest)).unwrap_or((rest[..letter.len_utf8()].to_owned(), letter.len_utf8())),
            |(inner, length)| (inline(inner), length),
        );
        out.push_str(&shown);
        rest = &rest[length..];
    }
    out
}

/// What is between two marks at the beginning of a text, and how long it is with them.
fn pair<'t>(text: &'t str, open: &str, close: &str) -> Option<(&'t str, usize)> {
    let inner = text.strip_prefix(open)?;
    let end = inner.find(close).filter(|end| *end > 0)?;
    let inner = &inner[..end];
    let tight = !inner.starts_with(char::is_whitespace) && !inner.ends_with(char::is_whitespace);
    tight.then_some((inner, open.len() + end + close.len()))
}

fn code(text: &str) -> Option<(String, usize)> {
    pair(text, "`", "`").map(|(inner, length)| (inner.to_owned(), length))
}

/// The words of a link; its target only where it is another one than they say.
fn link(text: &str) -> Option<(String, usize)> {
    let (words, length) = pair(text, "[", "](")?;
    let (target, more) = text[length..].split_once(')').map(|(target, _)| (target, target.len() + 1))?;
    let shown =
        if target.contains("://") && target != words { format!("{words} ({target})") } else { words.to_owned() };
    Some((shown, length + more))
}

/// Breaks a line at spaces, a long word where it must be; what goes on keeps the line's indent.
fn wrapped(line: &str, width: usize) -> Vec<String> {
    let width = width.max(8);
    if columns(line) <= width {
        return vec![line.to_owned()];
    }
    let mut indent = line.len() - line.trim_start().len();
    let is_item = ["- ", "* ", "• ", "☐ ", "☑ "].iter().any(|mark| line[indent..].starts_with(mark));
    if is_item {
        indent += 2;
    }
    let indent = " ".repeat(indent.min(width / 2));
    let (mut out, mut now) = (Vec::new(), String::new());
    for word in line.split_inclusive(' ') {
        if columns(&now) + columns(word.trim_end()) > width && !now.trim().is_empty() {
            out.push(std::mem::replace(&mut now, indent.clone()).trim_end().to_owned());
        }
        for letter in word.chars() {
            if columns(&now) + columns(letter.encode_utf8(&mut [0; 4])) > width && letter != ' ' {
                out.push(std::mem::replace(&mut now, indent.clone()));
            }
            now.push(letter);
        }
    }
    out.push(now.trim_end().to_owned());
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn lines_are_broken_at_spaces_and_keep_their_indent() {
        assert_eq!(wrapped("- one two three four", 12), ["- one two", "  three four"]);
        assert_eq!(wrapped("abcdefghijklmnopqrstuvwxyz", 10), ["abcdefghij", "klmnopqrst", "uvwxyz"]);
        assert_eq!(wrapped("short", 10), ["short"]);
    }

    #[test]
    fn marks_are_meant_and_not_shown() {
        for (line, want) in [
            ("## The *rule* of `make_it`", "The *rule* of make_it"),
            ("**Why:** it **broke** twice", "Why: it broke twice"),
            ("  - see [the runbook](runbook.md)", "  • see the runbook"),
            ("- [x] done, [docs](https://a.example/x)", "☑ done, docs (https://a.example/x)"),
            ("2 * 3 * 4, snake_case_name, `**kept**`", "2 * 3 * 4, snake_case_name, **kept**"),
            ("**open, `open, [open](", "**open, `open, [open]("),
            ("#hash and #!/bin/sh", "#hash and #!/bin/sh"),
        ] {
            assert_eq!(rendered(line), want);
        }
    }

    proptest! {
        #[test]
        fn every_line_is_rendered(line in ".{0,80}") {
            prop_assert!(rendered(&line).chars().count() <= line.chars().count() + 4);
        }

        #[test]
        fn nothing_is_lost_and_nothing_is_too_wide(line in "[ a-z中é-]{0,200}", width in 8usize..60) {
            let parts = wrapped(&line, width);
            prop_assert!(parts.iter().all(|part| columns(part) <= width), "{:?}", parts);
            let letters = |text: &str| text.chars().filter(|letter| *letter != ' ').collect::<String>();
            prop_assert_eq!(letters(&parts.concat()), letters(&line));
        }
    }
}
